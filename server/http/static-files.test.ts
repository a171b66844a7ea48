import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, describe, expect, test } from 'vitest'
import { registerStaticFiles, hashScripts } from './static-files.ts'

const root = mkdtempSync(join(tmpdir(), 'tatami-static-'))
mkdirSync(join(root, 'assets'))
writeFileSync(join(root, 'index.html'), '<title>landing</title><script>mark()</script>')
writeFileSync(join(root, 'login.html'), '<title>login</title>')
writeFileSync(join(root, 'sign.html'), '<title>sign</title>')
writeFileSync(join(root, 'app.html'), '<title>app</title>')
writeFileSync(join(root, 'icon.svg'), '<svg/>')
writeFileSync(join(root, 'assets/main-x.js'), 'go()')
writeFileSync(join(root, 'assets/main-x.js.br'), brotliCompressSync('go()'))

const http = Fastify()
await registerStaticFiles(http, root, 'http://dojo.test')
afterAll(async () => {
  await http.close()
  rmSync(root, { recursive: true })
})

test('serves the landing page at /, the login page at /login, and the app elsewhere', async () => {
  expect((await http.inject('/')).body).toContain('landing')
  expect((await http.inject('/login?x=1')).body).toContain('login')
  for (const page of ['/login/', '/dashboard?x=1.5', '/desktop/students']) {
    const response = await http.inject(page)
    expect([response.statusCode, response.headers['content-type'], response.body]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<title>app</title>',
    ])
  }
})

test('browsers revalidate pages, and get 304 if they are unchanged', async () => {
  const firstResponse = await http.inject('/')
  expect(firstResponse.headers['cache-control']).toBe('no-cache')
  const secondResponse = await http.inject({
    url: '/',
    headers: { 'if-none-match': String(firstResponse.headers.etag) },
  })
  expect(secondResponse.statusCode).toBe(304)
})

test('files with a hash in their name are cached for a year and sent compressed', async () => {
  const asset = await http.inject({
    url: '/assets/main-x.js',
    headers: { 'accept-encoding': 'gzip, br' },
  })
  expect(asset.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
    vary: expect.stringMatching(/accept-encoding/i),
  })
  const plainAsset = await http.inject('/assets/main-x.js')
  expect([plainAsset.headers['content-encoding'], plainAsset.body]).toEqual([undefined, 'go()'])
})

test.each([
  '/assets/main-old.js',
  '/assets/',
  '/assets',
  '/assets/main-x.js.gz',
  '/assets/old',
  '/favicon.ico',
  '/app.html.br',
  '/api/nothing',
  '/api',
  '/../package.json',
  '/%2e%2e/package.json',
  '/assets/%2e%2e/app.html',
])('%s is not found', async (url) => {
  expect((await http.inject(url)).statusCode).toBe(404)
})

test('refuses a path that leads out of the assets folder', async () => {
  expect((await http.inject('/assets/..%2fapp.html')).statusCode).toBe(403)
})

test('serves other files of the folder, which browsers revalidate', async () => {
  const icon = await http.inject('/icon.svg')
  expect([icon.statusCode, icon.headers['content-type'], icon.headers['cache-control']]).toEqual([
    200,
    'image/svg+xml',
    'no-cache',
  ])
})

test('allows only our scripts, and inline scripts only if they are unchanged', async () => {
  const policy = String((await http.inject('/')).headers['content-security-policy'])
  expect(policy).toContain(`script-src 'self' ${hashScripts('<script>mark()</script>')[0]};`)
  expect(policy).not.toMatch(/script-src[^;]*unsafe|upgrade-insecure/)
})

test('calls and assets get the headers for JSON, and documents get page headers', async () => {
  const site = Fastify()
  await registerStaticFiles(site, root, 'http://dojo.test')
  site.get('/api/students', { config: { isCall: true } }, () => [])
  const readPolicy = async (url: string) =>
    (await site.inject(url)).headers['content-security-policy']
  expect(await readPolicy('/api/students')).toBe("default-src 'none';frame-ancestors 'none'")
  expect(await readPolicy('/assets/main-x.js')).toBe("default-src 'none';frame-ancestors 'none'")
  for (const document of ['/students', '/icon.svg'])
    expect(await readPolicy(document)).toContain("script-src 'self'")
})

test('requires Trusted Types, with the page’s own policy', async () => {
  const policy = String((await http.inject('/')).headers['content-security-policy'])
  expect(policy).toContain("require-trusted-types-for 'script';trusted-types default")
})

describe('Strict-Transport-Security', () => {
  const readHsts = async (
    publicUrl: string,
    headers: Record<string, string>,
    trustProxy = false,
  ) => {
    const app = Fastify({ trustProxy })
    await registerStaticFiles(app, root, publicUrl)
    const { headers: responseHeaders } = await app.inject({ url: '/', headers })
    await app.close()
    return responseHeaders['strict-transport-security']
  }
  const hsts = 'max-age=31536000'

  test.each([
    ['not sent over plain http', 'http://dojo.test', { host: 'dojo.test' }, false, undefined],
    ['sent by a public https address', 'https://dojo.test', { host: 'Dojo.test' }, false, hsts],
    [
      'sent by a public https address with a port',
      'https://dojo.test:8443',
      { host: 'dojo.test:8443' },
      false,
      hsts,
    ],
    [
      'not sent by another host, such as an address in the network of the dojo',
      'https://dojo.test',
      { host: '192.168.1.20:3000' },
      false,
      undefined,
    ],
    [
      'sent if a trusted proxy says that the request came over https',
      'http://dojo.test',
      { host: 'dojo.test', 'x-forwarded-proto': 'https' },
      true,
      hsts,
    ],
    [
      'not sent if a trusted proxy says that the request came over http',
      'https://dojo.test',
      { host: 'dojo.test', 'x-forwarded-proto': 'http' },
      true,
      undefined,
    ],
    [
      'not sent if a visitor claims to use https',
      'http://dojo.test',
      { host: 'dojo.test', 'x-forwarded-proto': 'https' },
      false,
      undefined,
    ],
  ])('is %s', async (_, publicUrl, headers, trustProxy, expectedHeader) => {
    expect(await readHsts(publicUrl, headers as Record<string, string>, trustProxy)).toBe(
      expectedHeader,
    )
  })
})

test('reports a missing build of the web app in one line', async () => {
  await expect(
    registerStaticFiles(Fastify(), join(root, 'assets'), 'http://dojo.test'),
  ).rejects.toThrow(/^The web app is not built: .* Run "npm run build"\.$/)
})
