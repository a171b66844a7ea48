import { expect, signIn, test } from './harness.ts'

test(
  'shows a violet status bar, no floating button, and a note about push in the mobile app',
  { tag: '@both' },
  async ({ page, dojo }, { project }) => {
    test.skip(project.name !== 'desktop', 'only the desktop layout has the button')
    const student = await dojo.createSession(await dojo.createStudent())
    await signIn(page, student)
    await page.goto('/desktop')
    await expect(page.getByRole('link', { name: 'Mobile version' })).toBeVisible()
    // The mobile app adds this to the page before the first script runs.
    await page.addInitScript(() => {
      const calls: unknown[] = []
      const methods = ['addListener', 'minimizeApp', 'setStyle', 'setBackgroundColor'].map(
        (name) => ({ name, rtype: 'promise' }),
      )
      Object.assign(window, {
        androidBridge: { postMessage: () => {} },
        Capacitor: {
          isNativePlatform: () => true,
          PluginHeaders: ['App', 'StatusBar'].map((name) => ({ name, methods })),
          nativePromise: async (...call: unknown[]) => void calls.push(call),
          calls,
        },
      })
    })
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Mobile version' })).toHaveCount(0)
    const calls = () =>
      page.evaluate(
        () => (window as unknown as { Capacitor: { calls: unknown[] } }).Capacitor.calls,
      )
    await expect
      .poll(calls)
      .toContainEqual(['StatusBar', 'setBackgroundColor', { color: '#7c3aed' }])
    expect(
      await page.evaluate(() => getComputedStyle(document.body, '::before').backgroundColor),
    ).toBe('rgb(124, 58, 237)')
    await page.goto('/desktop/notification-settings')
    await expect(
      page.getByText(
        'The app doesn’t get push notifications yet. Browsers do, and the bell shows them all.',
      ),
    ).toBeVisible()
  },
)
