import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
type Package = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>
const read = (room: string) =>
  JSON.parse(readFileSync(join(root, room, 'package.json'), 'utf8')) as Package
const capacitorIn = (packages: Record<string, string> = {}) =>
  Object.entries(packages).filter(([name]) => name.startsWith('@capacitor/'))

test('what the page speaks of Capacitor is what the apps are built with, to the version', () => {
  const capacitorVersions = capacitorIn(read('web').dependencies)
  expect(capacitorVersions).not.toEqual([])
  expect(read('mobile').devDependencies).toMatchObject(Object.fromEntries(capacitorVersions))
})
