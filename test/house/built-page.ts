/** Builds the page before the first test opens it: three workers would build it three times. */
import { buildPage } from '../../scripts/build-page.ts'

export const setup = buildPage
