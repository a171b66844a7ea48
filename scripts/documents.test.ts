import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const DOCUMENTS = globSync('{*.md,docs/**/*.md,mobile/*.md,bench/*.md,deploy/**/*.md}', {
  exclude: ['**/node_modules/**'],
})

/** Creates the anchor of a heading, as GitHub does. */
const headingAnchor = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const anchorsIn = (document: string) =>
  [...readFileSync(document, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    headingAnchor(heading),
  )

function isBroken(document: string, link: string): boolean {
  const [path = '', fragment] = link.split('#')
  const target = path === '' ? document : join(dirname(document), path)
  if (!existsSync(target)) return true
  return fragment !== undefined && !anchorsIn(target).includes(fragment)
}

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readFileSync(document, 'utf8')

  test('has no broken links', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = '']) => link)
    expect(links.filter((link) => isBroken(document, link))).toEqual([])
  })

  // A document may name a test without its folder.
  test('names only tests that exist', () => {
    const tests = [...text.matchAll(/`([\w./*-]+\.(?:test|spec)\.ts)`/g)].map(
      ([, path = '']) => path,
    )
    const isMissing = (path: string) =>
      globSync([path, `{contract,e2e,scripts,server,web}/**/${path}`]).length === 0
    expect(tests.filter(isMissing)).toEqual([])
  })
})
