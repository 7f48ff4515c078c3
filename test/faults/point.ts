/**
 * One try of a fault, with a description of where. Tests fail at once; the long run counts failures
 * and continues.
 */
export type Point = (where: () => string, check: () => Promise<void> | void) => Promise<void>

export const failAtOnce: Point = async (_where, check) => {
  await check()
}
