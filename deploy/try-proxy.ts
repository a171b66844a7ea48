import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { requireProgram } from '../scripts/programs.ts'
import { requestHttps, type Target } from './try-client.ts'
import { reportCheck, folder, HOST, PORT, start } from './try-harness.ts'

const SITE_PORT = PORT + 1
export const SITE_URL = `https://localhost:${SITE_PORT}`

/** Starts Caddy with certificates from its local certificate authority. */
export async function startCaddy() {
  const site = readFileSync(join(import.meta.dirname, 'Caddyfile'), 'utf8').replace(
    '# tls internal',
    'tls internal',
  )
  const config = join(folder, 'Caddyfile')
  writeFileSync(
    config,
    `{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n}\n${site}`,
  )
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    TATAMI_SITE: SITE_URL,
    TATAMI_UPSTREAMS: `${HOST}:${PORT}`,
  }
  const caddy = await start(
    requireProgram('caddy'),
    ['run', '--config', config, '--adapter', 'caddyfile'],
    env,
    'serving initial configuration',
  )
  // Caddy writes its certificates a moment after it is ready.
  await sleep(500)
  const [root = '', intermediate = ''] = ['root', 'intermediate'].map((name) =>
    readFileSync(join(folder, `caddy/pki/authorities/local/${name}.crt`), 'utf8'),
  )
  return { ...caddy, target: { port: SITE_PORT, ca: root } satisfies Target, root, intermediate }
}

/** Checks that the server gets the visitor's real address even if the visitor sends a false one. */
export async function tryHeaders() {
  let proxyHeaders: IncomingHttpHeaders = {}
  const echo = createServer((request, response) => {
    if (request.url === '/echo') proxyHeaders = request.headers
    response.end('{}')
  }).listen(PORT, HOST)
  const caddy = await startCaddy()
  await requestHttps(caddy.target, '/echo', {
    headers: { 'x-forwarded-for': '203.0.113.9' },
    localAddress: '127.0.0.2',
  })
  reportCheck(
    'Host passes through',
    proxyHeaders.host === `localhost:${SITE_PORT}`,
    proxyHeaders.host,
  )
  reportCheck(
    'X-Forwarded-For is the visitor’s real address',
    proxyHeaders['x-forwarded-for'] === '127.0.0.2',
    proxyHeaders['x-forwarded-for'],
  )
  reportCheck(
    'X-Forwarded-Proto',
    proxyHeaders['x-forwarded-proto'] === 'https',
    proxyHeaders['x-forwarded-proto'],
  )
  await caddy.stop()
  echo.close()
}
