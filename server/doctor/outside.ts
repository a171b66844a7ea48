import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { request } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { now } from '../lib/clock.ts'
import { verifyMailServer } from '../lib/mail.ts'
import { isPrivateHostname } from '@tatami/contract/lib/private-hostname'
import { type Provider, SendFailure } from '../texting/providers/provider.ts'
import { compareClocks } from './database.ts'
import {
  errorCodeOf,
  formatCount,
  type Finding,
  messageOf,
  ok,
  problem,
  warning,
} from './finding.ts'

const TIMEOUT_MS = 8_000
const EXPIRES_SOON_DAYS = 14
/** Certificates of Caddy's own authority are valid for half a day and renewed automatically. */
const SHORT_LIVED_DAYS = 2
const PUSH_SERVICE = 'https://fcm.googleapis.com/'

type Settings = {
  publicUrl: string
  trustProxy: unknown
  host: string
  isRunning: boolean
  ca?: string
}

/** Checks that PUBLIC_URL can be reached over https, and that TRUST_PROXY is set correctly. */
export async function checkAddress({
  publicUrl,
  trustProxy,
  host,
  isRunning,
  ca,
}: Settings): Promise<Finding[]> {
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:')
    return [await checkHttps(publicUrl, isRunning, ca), checkProxy(trustProxy)]
  const findings = [
    isLocal
      ? warning(
          'Address',
          `PUBLIC_URL is ${publicUrl}, which only this machine can reach.`,
          'To let others in, set up a reverse proxy with https (deploy/Caddyfile), and ' +
            'set PUBLIC_URL to its address.',
        )
      : warning(
          'Address',
          `PUBLIC_URL is ${publicUrl}, without https: others on the network can read ` +
            'passwords, and browsers disable push and passkeys.',
          'Set up a reverse proxy with https (deploy/Caddyfile), and set PUBLIC_URL to its ' +
            'address.',
        ),
  ]
  if (trustProxy !== false && !['127.0.0.1', '::1', 'localhost'].includes(host))
    findings.push(
      warning(
        'Proxy',
        `TRUST_PROXY is set, but ${host} can be reached without the proxy, so visitors can ` +
          'forge their IP address.',
        'Set HOST to 127.0.0.1. Without a proxy, remove TRUST_PROXY.',
      ),
    )
  return findings
}

function checkProxy(trustProxy: unknown): Finding {
  return trustProxy === false
    ? problem(
        'Proxy',
        'PUBLIC_URL is https, which needs a proxy, but TRUST_PROXY is not set: all ' +
          'visitors share the limits of one IP address.',
        'Set TRUST_PROXY to the number of proxies (1 for Caddy alone).',
      )
    : ok('Proxy', 'TRUST_PROXY is set, so limits and the log use the IP address of each visitor.')
}

type HttpsResponse = {
  status: number
  isTatami: boolean
  date: string | undefined
  validFrom: string | undefined
  validTo: string | undefined
}

function sendRequest(url: string, method: 'GET' | 'HEAD', ca?: string): Promise<HttpsResponse> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      agent: false as const,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(ca && { ca }),
    }
    request(url, options, (response) => {
      const { valid_from: validFrom, valid_to: validTo } = (
        response.socket as TLSSocket
      ).getPeerCertificate()
      const { date, 'x-request-id': requestId } = response.headers
      response.resume().on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          isTatami: requestId !== undefined,
          date,
          validFrom,
          validTo,
        }),
      )
    })
      .on('error', reject)
      .end()
  })
}

async function checkHttps(publicUrl: string, isRunning: boolean, ca?: string): Promise<Finding> {
  const { hostname, port } = new URL(publicUrl)
  let response: HttpsResponse
  try {
    response = await sendRequest(`${publicUrl}/api/health/live`, 'GET', ca)
  } catch (error) {
    return problem('Address', ...describeHttpsProblem(error, hostname, port || '443'))
  }
  const { status, isTatami, validFrom, validTo } = response
  if ([502, 503, 504].includes(status) && !isTatami)
    return isRunning
      ? problem(
          'Address',
          `The proxy at ${publicUrl} cannot reach Tatami (${status}).`,
          'Have it forward requests to HOST and PORT (deploy/Caddyfile). Its log says what ' +
            'it tried.',
        )
      : warning(
          'Address',
          `The proxy at ${publicUrl} responds with ${status}, because Tatami is not running.`,
          'Start Tatami.',
        )
  if (status !== 200 || !isTatami)
    return problem(
      'Address',
      `Something other than Tatami responds at ${publicUrl} (${status}).`,
      'Correct PUBLIC_URL, the DNS or the proxy.',
    )
  const days = Math.floor((Date.parse(validTo ?? '') - now().getTime()) / DAY_MS)
  const expiry = `expires in ${formatCount(days, 'day')}`
  const lifetimeDays = (Date.parse(validTo ?? '') - Date.parse(validFrom ?? '')) / DAY_MS
  if (lifetimeDays < SHORT_LIVED_DAYS && days >= 0)
    return ok(
      'Address',
      `${publicUrl} reaches this server over https. Its certificate is renewed every day.`,
    )
  if (days < EXPIRES_SOON_DAYS)
    return warning(
      'Address',
      `The certificate of ${hostname} ${expiry}.`,
      'Caddy renews certificates a month ahead. Its log says why it could not. Ports 80 and ' +
        '443 must be reachable from the internet.',
    )
  return ok('Address', `${publicUrl} reaches this server over https. Its certificate ${expiry}.`)
}

function describeHttpsProblem(
  error: unknown,
  hostname: string,
  port: string,
): [says: string, remedy: string] {
  const code = errorCodeOf(error)
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return [
      `The host name ${hostname} cannot be resolved.`,
      'Add a DNS record for this machine, or correct PUBLIC_URL.',
    ]
  if (code === 'ECONNREFUSED')
    return [
      `Nothing listens at ${hostname}, port ${port}.`,
      'Start the reverse proxy: systemctl start caddy',
    ]
  if (code === 'CERT_HAS_EXPIRED')
    return [
      `The certificate of ${hostname} has expired.`,
      "See the reverse proxy's log for why it was not renewed. Also check this machine's clock.",
    ]
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return [
      `The certificate at ${hostname} is for another name.`,
      'Configure the reverse proxy for this name, or correct PUBLIC_URL.',
    ]
  if (/SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_UNTRUSTED/.test(code))
    return [
      `This machine does not trust the issuer of the certificate of ${hostname}.`,
      isPrivateHostname(hostname)
        ? 'For an authority of your own, set NODE_EXTRA_CA_CERTS to its root certificate. ' +
          'Browsers need the root certificate, too.'
        : 'Use a certificate that browsers trust. Caddy gets one automatically.',
    ]
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return [
      `The server at ${hostname}, port ${port}, does not speak https.`,
      'Correct the port in PUBLIC_URL, or the reverse proxy.',
    ]
  return [
    `${hostname} does not respond over https: ${messageOf(error)}`,
    'Check the reverse proxy, the firewall and the DNS.',
  ]
}

export async function checkPushService(url = PUSH_SERVICE, ca?: string): Promise<Finding[]> {
  const { hostname } = new URL(url)
  try {
    const { date } = await sendRequest(url, 'HEAD', ca)
    const reachableFinding = ok('Push', `Push services can be reached (${hostname}).`)
    return date
      ? [reachableFinding, compareClocks('Clock', hostname, Date.parse(date) - now().getTime())]
      : [reachableFinding]
  } catch (error) {
    return [
      warning(
        'Push',
        `Push services cannot be reached (${hostname}: ${errorCodeOf(error) || messageOf(error)}).`,
        'Allow outgoing connections to port 443. Until then, notifications appear only ' +
          'under the bell.',
      ),
    ]
  }
}

export async function checkMail(smtpUrl: string | undefined): Promise<Finding> {
  if (!smtpUrl)
    return warning(
      'Mail',
      'No mail server is set, so people cannot reset their password by email, and they get ' +
        'no email when their account changes.',
      'Set SMTP_URL and MAIL_FROM.',
    )
  const { hostname } = new URL(smtpUrl)
  try {
    await verifyMailServer(smtpUrl)
    return ok('Mail', `The mail server ${hostname} accepts mail from this machine.`)
  } catch (error) {
    const code = errorCodeOf(error)
    if (code === 'EAUTH')
      return problem(
        'Mail',
        `The mail server ${hostname} rejects the user or the password.`,
        'Correct SMTP_URL.',
      )
    if (code === 'EDNS' || code === 'ENOTFOUND')
      return problem(
        'Mail',
        `The host name of the mail server, ${hostname}, cannot be resolved.`,
        'Correct SMTP_URL.',
      )
    return problem(
      'Mail',
      `The mail server ${hostname} cannot be used: ${messageOf(error)}`,
      'Correct SMTP_URL (smtps:// for port 465), or allow the connection. Many hosting ' +
        'providers block outgoing mail.',
    )
  }
}

type AccountSettings = { secretsKey?: string | undefined; smsProvider?: string | undefined }

/** True if schools may send texts through their own Twilio accounts. */
export const maySetUpAccounts = ({ secretsKey, smsProvider }: AccountSettings): boolean =>
  secretsKey !== undefined && (smsProvider ?? 'twilio') === 'twilio'

export async function checkTexts(
  provider: Provider | null,
  mayHaveAccounts: boolean,
): Promise<Finding> {
  const advice = 'To send real texts, set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.'
  if (!provider)
    return warning(
      'Texts',
      mayHaveAccounts
        ? 'Texts are simulated, except for schools with their own Twilio account.'
        : 'Texts are simulated: no text leaves this machine.',
      advice,
    )
  if (provider.service === 'none')
    return warning('Texts', 'SMS_PROVIDER is none: texts wait and are not sent.', advice)
  try {
    await provider.check()
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error
    return problem('Texts', ...describeTextProblem(error))
  }
  const updates = provider.hasCallbacks
    ? 'It reports whether each one arrived.'
    : 'Tatami asks whether each one arrived, because PUBLIC_URL is not a public https address.'
  return ok('Texts', `Twilio accepts texts. ${updates}`)
}

function describeTextProblem({
  status,
  code,
  message,
}: SendFailure): [says: string, remedy: string] {
  if (status === null)
    return [
      'Twilio cannot be reached.',
      'Allow connections to api.twilio.com, port 443. Also see https://status.twilio.com.',
    ]
  if (status === 401 || code === 20003)
    return [
      'Twilio rejects the account or its token.',
      'Correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.',
    ]
  if (status >= 500)
    return [
      `Twilio is down (${status}).`,
      'See https://status.twilio.com. Texts are sent once it is back.',
    ]
  return [
    `Twilio rejects the settings: ${message}`,
    'Correct TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID. It must belong to this account.',
  ]
}
