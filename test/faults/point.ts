/**
 * One try of a fault, with words that say where it was. Tests let it fail at once; the long run
 * counts it and goes on.
 */
export type Point = (where: () => string, check: () => Promise<void> | void) => Promise<void>

export const failAtOnce: Point = async (_where, check) => {
  await check()
}
