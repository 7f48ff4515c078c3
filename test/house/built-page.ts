/** Builds the page before the tests, or three workers would build it three times. */
import { buildPage } from '../../scripts/build-page.ts'

export const setup = (): Promise<void> => buildPage()
