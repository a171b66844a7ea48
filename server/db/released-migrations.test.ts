import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, 'migrations')

/** The SHA-256 of each released migration. Released migrations never change, because databases have
 *  run them. */
const RELEASED_HASHES = {
  '0000_baseline.sql': 'c81055c77e0315f24f820aad280d070fde910873922c710b8c5c0411a6fa946a',
  '0001_version-1.1.0.sql': 'fa5040bd9c97bb8d363181cc570ab0d2ac1fef98a2144de14decae6804abaa97',
}

test.each(Object.entries(RELEASED_HASHES))('%s is unchanged since its release', (file, sha256) => {
  expect(hash('sha256', readFileSync(join(folder, file)))).toBe(sha256)
})

test('new migrations come after the released ones', () => {
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  expect(files.toSorted().slice(0, Object.keys(RELEASED_HASHES).length)).toEqual(
    Object.keys(RELEASED_HASHES),
  )
})
