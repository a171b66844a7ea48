import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')
const readProjectFile = (file: string) => readFileSync(join(root, file), 'utf8')
const VIOLET = '#7c3aed'

/** Reads a value of Android's resources. A value may be a reference to another value. */
function androidValue(name: string): string | undefined {
  const values = ['colors', 'styles']
    .map((file) => readProjectFile(`mobile/android/app/src/main/res/values/${file}.xml`))
    .join('')
  const value = new RegExp(`name="${name}"[^>]*>([^<]*)<`).exec(values)?.[1]
  return value?.startsWith('@color/') ? androidValue(value.slice('@color/'.length)) : value
}

test('the apps have a violet status bar that the page does not cover', async () => {
  vi.stubEnv('TATAMI_URL', 'https://tatami.your-dojo.com')
  // Imported by its path, because the packages of the mobile apps are not installed here.
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

test('Android’s status bar is violet before the page has loaded', () => {
  expect(readProjectFile('mobile/android/app/src/main/AndroidManifest.xml')).toContain(
    'android:theme="@style/AppTheme.NoActionBarLaunch"',
  )
  expect(androidValue('android:statusBarColor')).toBe(VIOLET)
  expect(androidValue('windowSplashScreenBackground')).toBe(VIOLET)
})

test('the background of iOS’s status bar is violet before the page has loaded', () => {
  const storyboard = readProjectFile('mobile/ios/App/App/Base.lproj/LaunchScreen.storyboard')
  const [, ...channels] =
    /key="backgroundColor" red="([\d.]+)" green="([\d.]+)" blue="([\d.]+)"/.exec(storyboard) ?? []
  const hexChannels = channels.map((channel) => Math.round(Number(channel) * 255).toString(16))
  expect(`#${hexChannels.join('')}`).toBe(VIOLET)
})

test('the page sets the color of the status bar for devices that read it there', () => {
  expect(readProjectFile('web/head.html')).toContain(
    `<meta name="theme-color" content="${VIOLET}">`,
  )
  expect(readProjectFile('web/ui/tokens.css')).toContain(`--status-bar: ${VIOLET};`)
})

test('the domain is app-bound on iOS, which allows a service worker', async () => {
  const { withDomain } = (await import(join(root, 'mobile/app-bound-domains.mjs'))) as {
    withDomain: (plist: string, address: string) => string
  }
  const plist = withDomain(
    readProjectFile('mobile/ios/App/App/Info.plist'),
    'https://tatami.your-dojo.com:8443',
  )
  const [, domainList = ''] = /WKAppBoundDomains<\/key>\s*<array>(.*?)<\/array>/s.exec(plist) ?? []
  const domains = [...domainList.matchAll(/>([^<]+)</g)]
    .map(([, domain = '']) => domain.trim())
    .filter((domain) => domain !== '')
  expect(domains).toEqual(['tatami.your-dojo.com', 'capacitor:'])
  expect(JSON.parse(readProjectFile('mobile/package.json'))).toMatchObject({
    scripts: { sync: 'node app-bound-domains.mjs && cap sync' },
  })
})

test('the apps declare a camera to scan codes, but Android does not require one', () => {
  expect(readProjectFile('mobile/android/app/src/main/AndroidManifest.xml')).toMatch(
    /"android\.permission\.CAMERA"[^]*"android\.hardware\.camera" android:required="false"/,
  )
  expect(readProjectFile('mobile/ios/App/App/Info.plist')).toMatch(
    /<key>NSCameraUsageDescription<\/key>\s*<string>[^<]+</,
  )
})
