import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { request } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { now } from '../lib/clock.ts'
import { verifyMailServer } from '../lib/mail.ts'
import { isPrivateHostname } from '@tatami/contract/lib/private-hostname'
import { type Provider, SendFailure } from '../texting/providers/provider.ts'
import { clockFinding } from './database.ts'
import { codeOf, type Finding, messageOf, ok, problem, warning } from './finding.ts'

const TIMEOUT_MS = 8_000
const EXPIRES_SOON_DAYS = 14
/** Certificates of Caddy's own authority are valid for half a day and renewed automatically. */
const SHORT_LIVED_DAYS = 2
const PUSH_SERVICE = 'https://fcm.googleapis.com/'

type Address = {
  publicUrl: string
  trustProxy: unknown
  host: string
  isRunning: boolean
  ca?: string
}

/** Checks that PUBLIC_URL can be reached over https and that the proxy passes on visitors'
 *  addresses. */
export async function checkAddress({
  publicUrl,
  trustProxy,
  host,
  isRunning,
  ca,
}: Address): Promise<Finding[]> {
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol === 'https:')
    return [await checkHttps(publicUrl, isRunning, ca), checkProxy(trustProxy)]
  const findings = [
    isLocal
      ? warning(
          'Address',
          `PUBLIC_URL is ${publicUrl}, which only this machine reaches.`,
          'For others, put a reverse proxy with https in front (deploy/Caddyfile), and ' +
            'set PUBLIC_URL to its address.',
        )
      : warning(
          'Address',
          `PUBLIC_URL is ${publicUrl}, without https: passwords can be read on the way, ` +
            'and browsers allow no push and no passkeys.',
          'Put a reverse proxy with https in front (deploy/Caddyfile), and set ' +
            'PUBLIC_URL to its address.',
        ),
  ]
  if (trustProxy !== false && !['127.0.0.1', '::1', 'localhost'].includes(host))
    findings.push(
      warning(
        'Proxy',
        `TRUST_PROXY is set, and ${host} can be reached without the proxy: visitors may ` +
          'claim any address.',
        'Set HOST to 127.0.0.1, or leave TRUST_PROXY unset without a proxy.',
      ),
    )
  return findings
}

function checkProxy(trustProxy: unknown): Finding {
  return trustProxy === false
    ? problem(
        'Proxy',
        'PUBLIC_URL is https, so a proxy is in front, and TRUST_PROXY is not set: all ' +
          'visitors share the limits of one address.',
        'Set TRUST_PROXY to the number of proxies (1 for Caddy alone).',
      )
    : ok('Proxy', 'TRUST_PROXY is set: limits and the log go by the addresses of visitors.')
}

type Answer = {
  status: number
  isTatami: boolean
  date: string | undefined
  validFrom: string | undefined
  validTo: string | undefined
}

function ask(url: string, method: 'GET' | 'HEAD', ca?: string): Promise<Answer> {
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
  let answer: Answer
  try {
    answer = await ask(`${publicUrl}/api/health/live`, 'GET', ca)
  } catch (error) {
    return problem('Address', ...httpsProblem(error, hostname, port || '443'))
  }
  const { status, isTatami, validFrom, validTo } = answer
  if ([502, 503, 504].includes(status) && !isTatami)
    return isRunning
      ? problem(
          'Address',
          `The proxy at ${publicUrl} does not reach Tatami (${status}).`,
          'Let it pass requests on to HOST and PORT (deploy/Caddyfile); its log says ' +
            'what it tried.',
        )
      : warning(
          'Address',
          `The proxy at ${publicUrl} answers ${status}: Tatami does not run.`,
          'Start Tatami.',
        )
  if (status !== 200 || !isTatami)
    return problem(
      'Address',
      `Something else than Tatami answers at ${publicUrl} (${status}).`,
      'Correct PUBLIC_URL, the DNS or the proxy.',
    )
  const days = Math.floor((Date.parse(validTo ?? '') - now().getTime()) / DAY_MS)
  const lifetimeDays = (Date.parse(validTo ?? '') - Date.parse(validFrom ?? '')) / DAY_MS
  if (lifetimeDays < SHORT_LIVED_DAYS && days >= 0)
    return ok(
      'Address',
      `${publicUrl} leads here, over https, with a certificate that is renewed every day.`,
    )
  if (days < EXPIRES_SOON_DAYS)
    return warning(
      'Address',
      `The certificate of ${hostname} is valid for ${days} more days.`,
      'Caddy renews a month ahead: its log says why it could not. Ports 80 and 443 have ' +
        'to be reachable from the internet.',
    )
  return ok(
    'Address',
    `${publicUrl} leads here, over https, with a certificate that is valid for ${days} more days.`,
  )
}

function httpsProblem(
  error: unknown,
  hostname: string,
  port: string,
): [says: string, remedy: string] {
  const code = codeOf(error)
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code))
    return [
      `The name ${hostname} has no address.`,
      'Make a DNS entry that leads to this machine, or correct PUBLIC_URL.',
    ]
  if (code === 'ECONNREFUSED')
    return [
      `Nothing listens at ${hostname}, port ${port}.`,
      'Start the reverse proxy: "systemctl start caddy".',
    ]
  if (code === 'CERT_HAS_EXPIRED')
    return [
      `The certificate of ${hostname} has expired.`,
      "The reverse proxy's log says why it was not renewed. Look at this machine's clock, too.",
    ]
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return [
      `The certificate at ${hostname} is for another name.`,
      'Let the reverse proxy serve this name, or correct PUBLIC_URL.',
    ]
  if (/SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_UNTRUSTED/.test(code))
    return [
      `The certificate of ${hostname} is from an authority that this machine does not know.`,
      isPrivateHostname(hostname)
        ? 'For an authority of your own, set NODE_EXTRA_CA_CERTS to its root certificate; ' +
          'browsers need it as well.'
        : 'Use one that browsers know, too: Caddy gets it by itself.',
    ]
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return [
      `What listens at ${hostname}, port ${port}, does not speak https.`,
      'Correct the port in PUBLIC_URL, or the reverse proxy.',
    ]
  return [
    `${hostname} does not answer over https: ${messageOf(error)}`,
    'Look at the reverse proxy, the firewall and the DNS.',
  ]
}

export async function checkPushService(url = PUSH_SERVICE, ca?: string): Promise<Finding[]> {
  const { hostname } = new URL(url)
  try {
    const { date } = await ask(url, 'HEAD', ca)
    const answeredAt = ok('Push', `Push services can be reached (${hostname}).`)
    return date
      ? [answeredAt, clockFinding('Clock', hostname, Date.parse(date) - now().getTime())]
      : [answeredAt]
  } catch (error) {
    return [
      warning(
        'Push',
        `Push services cannot be reached (${hostname}: ${codeOf(error) || messageOf(error)}).`,
        'Allow connections to port 443 outside; until then notifications stand under the ' +
          'bell only.',
      ),
    ]
  }
}

export async function checkMail(smtpUrl: string | undefined): Promise<Finding> {
  if (!smtpUrl)
    return warning(
      'Mail',
      'No mail server is set: nobody can reset their password without the super admin, ' +
        'or is told of a changed account by mail.',
      'Set SMTP_URL and MAIL_FROM.',
    )
  const { hostname } = new URL(smtpUrl)
  try {
    await verifyMailServer(smtpUrl)
    return ok('Mail', `The mail server ${hostname} takes mail from here.`)
  } catch (error) {
    const code = codeOf(error)
    if (code === 'EAUTH')
      return problem(
        'Mail',
        `The mail server ${hostname} does not accept the user and password.`,
        'Correct SMTP_URL.',
      )
    if (code === 'EDNS' || code === 'ENOTFOUND')
      return problem(
        'Mail',
        `The name of the mail server, ${hostname}, has no address.`,
        'Correct SMTP_URL.',
      )
    return problem(
      'Mail',
      `The mail server ${hostname} cannot be used: ${messageOf(error)}`,
      'Correct SMTP_URL (smtps:// for port 465), or allow the connection: many hosts ' +
        'block mail to the outside.',
    )
  }
}

export async function checkTexts(provider: Provider | null): Promise<Finding> {
  const setUp = 'Set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM for real ones.'
  if (!provider) return warning('Texts', 'Texts are simulated: none leaves this machine.', setUp)
  if (provider.service === 'none')
    return warning('Texts', 'SMS_PROVIDER is none: texts wait, and none is sent.', setUp)
  try {
    await provider.check()
  } catch (error) {
    if (!(error instanceof SendFailure)) throw error
    return problem('Texts', ...textProblem(error))
  }
  const how = provider.hasCallbacks
    ? 'and tells what became of them'
    : 'and is asked what became of them, because PUBLIC_URL is no public https address'
  return ok('Texts', `Twilio takes texts, ${how}.`)
}

function textProblem({ status, code, message }: SendFailure): [says: string, remedy: string] {
  if (status === null)
    return [
      'Twilio cannot be reached.',
      'Allow connections to api.twilio.com, port 443; see https://status.twilio.com.',
    ]
  if (status === 401 || code === 20003)
    return [
      'Twilio does not accept the account and its token.',
      'Correct TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN.',
    ]
  if (status >= 500)
    return [
      `Twilio is out of order (${status}).`,
      'See https://status.twilio.com; texts wait until then.',
    ]
  return [
    `Twilio refuses: ${message}`,
    'Correct TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID: it has to be of this account.',
  ]
}
