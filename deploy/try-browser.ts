import { createECDH, randomBytes } from 'node:crypto'
import { chromium, type Page } from '@playwright/test'
import { chromiumPath } from '../scripts/chromium.mjs'
import { addVirtualAuthenticator } from '../e2e/virtual-authenticator.ts'

type BrowserCheck = { subject: string; isPassed: boolean; actual: unknown }

/** Checks the secure origin, the service worker, push, a passkey and the console. `keyHash` is the
 *  base64 hash of the certificate authority's key. With it, the browser trusts the authority. */
export async function tryInBrowser(
  url: string,
  token: string,
  keyHash: string,
): Promise<BrowserCheck[]> {
  const args = [`--ignore-certificate-errors-spki-list=${keyHash}`, '--no-sandbox']
  const browser = await chromium.launch({ executablePath: chromiumPath(), args })
  try {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      permissions: ['notifications'],
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (line) => void (line.type() === 'error' && errors.push(line.text())))
    page.on('pageerror', (error) => void errors.push(error.message))
    await fakePushService(page)
    await page.addInitScript((storedToken) => localStorage.setItem('token', storedToken), token)
    await page.goto(`${url}/notification-settings`)
    const checks: BrowserCheck[] = []
    const isSecure = await page.evaluate(() => window.isSecureContext)
    checks.push({ subject: 'a secure origin', isPassed: isSecure, actual: isSecure })
    await page
      .getByRole('button', { name: 'Turn on here' })
      .click({ timeout: 15_000 })
      .catch(async (error: Error) => {
        throw new Error(
          `${error.message}: ${page.url()} ` +
            `${await page.locator('body').innerText()} ${errors.join(' | ')}`,
        )
      })
    const pushNotice = page.getByText('Push is on in this browser.')
    await pushNotice.waitFor()
    checks.push({
      subject: 'push, subscribed on the screen',
      isPassed: await pushNotice.isVisible(),
      actual: await pushNotice.textContent(),
    })
    const workerState = await page.evaluate(
      async () => (await navigator.serviceWorker.ready).active?.state,
    )
    checks.push({
      subject: 'the service worker',
      isPassed: workerState === 'activated',
      actual: workerState,
    })
    const passkeyOrigins = await createAndUsePasskey(page)
    checks.push({
      subject: 'a passkey, created and used',
      isPassed: passkeyOrigins === `${url} ${url}`,
      actual: passkeyOrigins,
    })
    checks.push({
      subject: 'no error in the console',
      isPassed: errors.length === 0,
      actual: errors.join(' | ') || 'none',
    })
    return checks
  } finally {
    await browser.close()
  }
}

async function fakePushService(page: Page) {
  const keys = {
    p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
    auth: randomBytes(16).toString('base64url'),
  }
  await page.addInitScript((subscriptionKeys) => {
    let subscription: unknown = null
    PushManager.prototype.getSubscription = async () => subscription as PushSubscription
    PushManager.prototype.subscribe = async (options) => {
      subscription ??= {
        options: {
          applicationServerKey: (options?.applicationServerKey as Uint8Array | undefined)?.buffer,
        },
        toJSON: () => ({ endpoint: 'https://push.example.com/try', keys: subscriptionKeys }),
      }
      return subscription as PushSubscription
    }
  }, keys)
}

/** Returns the origins of the new passkey and of the login with it. */
async function createAndUsePasskey(page: Page): Promise<string> {
  await addVirtualAuthenticator(page)
  return page.evaluate(async () => {
    const ES256 = -7
    const originOf = (credential: Credential | null) => {
      const { clientDataJSON } = (credential as PublicKeyCredential).response
      return (JSON.parse(new TextDecoder().decode(clientDataJSON)) as { origin: string }).origin
    }
    const challenge = crypto.getRandomValues(new Uint8Array(32))
    const newPasskey = await navigator.credentials.create({
      publicKey: {
        challenge,
        rp: { id: location.hostname, name: 'Tatami' },
        user: { id: new Uint8Array(16), name: 'aiko', displayName: 'Aiko' },
        pubKeyCredParams: [{ type: 'public-key', alg: ES256 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    })
    const usedPasskey = await navigator.credentials.get({
      publicKey: { challenge, rpId: location.hostname, userVerification: 'required' },
    })
    return `${originOf(newPasskey)} ${originOf(usedPasskey)}`
  })
}
