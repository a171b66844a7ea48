import type { Page } from '@playwright/test'
import { expect, signIn, test } from './harness.ts'

/** Tries what a malicious script might do. Returns the result or the error of each attempt. */
const tryInjections = (page: Page) =>
  page.evaluate(() => {
    const attempt = (act: () => unknown) => {
      try {
        return String(act())
      } catch (error) {
        return (error as Error).name
      }
    }
    const element = document.createElement('div')
    return {
      'markup from text': attempt(() => (element.innerHTML = '<img src=x>')),
      'markup from a parser': attempt(() =>
        new DOMParser().parseFromString('<b>x</b>', 'text/html'),
      ),
      'markup in a frame': attempt(() => (document.createElement('iframe').srcdoc = '<b>x</b>')),
      'a script by its URL': attempt(
        () => (document.createElement('script').src = '/assets/other.js'),
      ),
      'a script by its text': attempt(() => (document.createElement('script').text = 'go()')),
      'a worker': attempt(() => new Worker('/assets/other.js')),
      'a policy made by the script': attempt(() =>
        (
          globalThis as unknown as {
            trustedTypes: { createPolicy: (...args: unknown[]) => unknown }
          }
        ).trustedTypes.createPolicy('mine', {}),
      ),
      'text without markup': attempt(() => (element.innerHTML = 'a &amp; b')),
    }
  })

const EXPECTED_RESULTS = {
  'markup from text': 'TypeError',
  'markup from a parser': 'TypeError',
  'markup in a frame': 'TypeError',
  'a script by its URL': 'TypeError',
  'a script by its text': 'TypeError',
  'a worker': 'TypeError',
  'a policy made by the script': 'TypeError',
  'text without markup': 'a &amp; b',
}

for (const [name, path] of Object.entries({ 'landing page': '/', app: '/dashboard' })) {
  test(`turns no text into markup or a script in the ${name}`, async ({
    page,
    dojo,
    allowErrors,
  }) => {
    allowErrors(/Trusted|trusted-types/)
    if (path !== '/') await signIn(page, dojo)
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await tryInjections(page)).toEqual(EXPECTED_RESULTS)
  })
}

test('runs no inline script and no event handler in markup', async ({ page, allowErrors }) => {
  allowErrors(/Content Security Policy/)
  await page.route('/', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(
      '</body>',
      '<script>globalThis.ran = 1</script><img src="data:," onerror="globalThis.ran = 2"></body>',
    )
    await route.fulfill({ response, body })
  })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.evaluate(() => (globalThis as { ran?: number }).ran)).toBeUndefined()
})
