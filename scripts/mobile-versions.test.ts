import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
type Package = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>
const readPackage = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Package
const capacitorPackages = (packages: Record<string, string> = {}) =>
  Object.entries(packages).filter(([name]) => name.startsWith('@capacitor/'))

test('the web app and the mobile apps have the same versions of Capacitor', () => {
  const capacitorVersions = capacitorPackages(readPackage('web').dependencies)
  expect(capacitorVersions).not.toEqual([])
  expect(readPackage('mobile').devDependencies).toMatchObject(Object.fromEntries(capacitorVersions))
})
