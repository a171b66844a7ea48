import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const VIOLET = '#7c3aed'

/** Follows references between Android's resources. */
function androidValue(name: string): string | undefined {
  const values = ['colors', 'styles']
    .map((file) => read(`mobile/android/app/src/main/res/values/${file}.xml`))
    .join('')
  const value = new RegExp(`name="${name}"[^>]*>([^<]*)<`).exec(values)?.[1]
  return value?.startsWith('@color/') ? androidValue(value.slice('@color/'.length)) : value
}

test('gives the apps a violet status bar, which the page does not cover', async () => {
  vi.stubEnv('TATAMI_URL', 'https://tatami.your-dojo.com')
  // By its path, because the apps' own packages are not installed here.
  const { default: config } = (await import(join(root, 'mobile/capacitor.config.ts'))) as {
    default: { plugins: { StatusBar: object }; server: { url: string }; ios: object }
  }
  expect(config.plugins.StatusBar).toEqual({
    style: 'DARK',
    backgroundColor: VIOLET,
    overlaysWebView: false,
  })
  expect(config.server.url).toBe('https://tatami.your-dojo.com')
  expect(config.ios).toEqual({ limitsNavigationsToAppBoundDomains: true })
  vi.unstubAllEnvs()
})

test('draws Android’s status bar in violet before the page has loaded', () => {
  expect(read('mobile/android/app/src/main/AndroidManifest.xml')).toContain(
    'android:theme="@style/AppTheme.NoActionBarLaunch"',
  )
  expect(androidValue('android:statusBarColor')).toBe(VIOLET)
  expect(androidValue('windowSplashScreenBackground')).toBe(VIOLET)
})

test('shows violet behind the status bar of iOS before the page has loaded', () => {
  const storyboard = read('mobile/ios/App/App/Base.lproj/LaunchScreen.storyboard')
  const [, ...parts] =
    /key="backgroundColor" red="([\d.]+)" green="([\d.]+)" blue="([\d.]+)"/.exec(storyboard) ?? []
  expect(`#${parts.map((part) => Math.round(Number(part) * 255).toString(16)).join('')}`).toBe(
    VIOLET,
  )
})

test('draws the status bar in the page’s own color where the system does not', () => {
  expect(read('web/head.html')).toContain(`<meta name="theme-color" content="${VIOLET}">`)
  expect(read('web/ui/tokens.css')).toContain(`--status-bar: ${VIOLET};`)
})

test('lets the page have a service worker on iOS, because its domain is app-bound', async () => {
  const { withDomain } = (await import(join(root, 'mobile/app-bound-domains.mjs'))) as {
    withDomain: (plist: string, address: string) => string
  }
  const domains = (plist: string) => [
    ...(/WKAppBoundDomains<\/key>\s*<array>(.*?)<\/array>/s.exec(plist)?.[1] ?? '').matchAll(
      />([^<]+)</g,
    ),
  ]
  const plist = withDomain(
    read('mobile/ios/App/App/Info.plist'),
    'https://tatami.your-dojo.com:8443',
  )
  expect(domains(plist).flatMap(([, domain]) => domain!.trim() || [])).toEqual([
    'tatami.your-dojo.com',
    'capacitor:',
  ])
  expect(JSON.parse(read('mobile/package.json'))).toMatchObject({
    scripts: { sync: 'node app-bound-domains.mjs && cap sync' },
  })
})

test('allows the apps the camera, with which the kiosk reads codes', () => {
  expect(read('mobile/android/app/src/main/AndroidManifest.xml')).toMatch(
    /"android\.permission\.CAMERA"[^]*"android\.hardware\.camera" android:required="false"/,
  )
  expect(read('mobile/ios/App/App/Info.plist')).toMatch(
    /<key>NSCameraUsageDescription<\/key>\s*<string>[^<]+</,
  )
})
