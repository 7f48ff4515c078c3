/**
 * `npm run test:needs`: lists what some tests need beyond `npm ci`, and what this machine lacks.
 */
import { NEEDS, type Need } from '../test/house/needs-table.ts'
import { has } from '../test/house/has-need.ts'

const needs = Object.keys(NEEDS) as Need[]
for (const need of needs)
  console.log(`${has(need) ? 'here   ' : 'missing'}  ${need.padEnd(16)} ${NEEDS[need].for}`)
const packages = needs.flatMap((need) => NEEDS[need].package ?? [])
console.log(`\nA full machine: apt-get install ${packages.join(' ')}`)
