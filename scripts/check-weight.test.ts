import { expect, test } from 'vitest'
import { visitsOf } from './check-weight.ts'

const manifest = {
  'index.html': { file: 'assets/front.js', dynamicImports: ['main'] },
  main: { file: 'assets/main.js', imports: ['shared'], dynamicImports: ['students.tsx'] },
  shared: { file: 'assets/shared.js' },
  'students.tsx': { file: 'assets/students.js', imports: ['list', 'main'], dynamicImports: ['dialog.tsx'] },
  list: { file: 'assets/list.js', imports: ['shared'] },
  'dialog.tsx': { file: 'assets/dialog.js' },
}

test('a screen weighs what it and the app import at once, each file counted once; what comes later does not count', () => {
  const [landing, students] = visitsOf(manifest, '<script src="/assets/front.js">', '<script src="/assets/main.js">')
  expect(landing?.files).toEqual(['assets/front.js'])
  expect(students?.files.toSorted()).toEqual(['assets/list.js', 'assets/main.js', 'assets/shared.js', 'assets/students.js'])
})
