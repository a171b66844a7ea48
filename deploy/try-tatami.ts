import { spawnSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '../server/db/database.ts'
import {
  createSensei,
  createStudent,
  embeddedDatabaseUrl,
  type FixtureSensei,
  signInAs,
} from '../server/test/fixtures.ts'
import { tryInBrowser } from './try-browser.ts'
import { requestHttps } from './try-client.ts'
import { reportCheck, folder, PORT, ROOT, start } from './try-harness.ts'
import { SITE_URL, startCaddy } from './try-proxy.ts'
import { tryRestart } from './try-restart.ts'

const dataDir = join(folder, 'data')
const settings = {
  PATH: process.env.PATH,
  PORT: String(PORT),
  DATA_DIR: dataDir,
  ENV_FILE: '/dev/null',
  PUBLIC_URL: SITE_URL,
  TRUST_PROXY: '1',
  METRICS_PORT: String(PORT + 2),
}
const startTatami = () =>
  start(process.execPath, ['server/main.ts'], settings, 'Tatami is ready at')

type Process = Awaited<ReturnType<typeof startTatami>>
type Caddy = Awaited<ReturnType<typeof startCaddy>>

export async function tryTatami() {
  const tatami = await startTatami()
  const caddy = await startCaddy()
  const db = connect(embeddedDatabaseUrl(dataDir))
  const sensei = await createSensei(db)
  await tryCalls(caddy, tatami, sensei)
  await tryBrowser(caddy, db, sensei)
  tryDoctor(caddy)
  let newTatami = tatami
  await tryRestart(caddy.target, db, sensei, {
    stop: tatami.stop,
    start: async () => void (newTatami = await startTatami()),
  })
  await db.close()
  await caddy.stop()
  await newTatami.stop()
}

async function tryCalls(caddy: Caddy, tatami: Process, sensei: FixtureSensei) {
  const authorization = `Bearer ${sensei.token}`
  const { status, headers } = await requestHttps(caddy.target, '/api/profile', {
    headers: { authorization, 'x-forwarded-for': '203.0.113.9' },
  })
  reportCheck('a call over https', status === 200, status)
  reportCheck(
    'Strict-Transport-Security, for 115 days or more',
    /max-age=\d{8}/.test(headers['strict-transport-security'] ?? ''),
    headers['strict-transport-security'],
  )
  await requestHttps(caddy.target, '/api/profile', {
    headers: { authorization },
    localAddress: '127.0.0.2',
  })
  await sleep(300)
  const ips = [...tatami.output.matchAll(/"path":"\/api\/profile","ip":"([^"]+)"/g)].map(
    ([, ip]) => ip,
  )
  reportCheck(
    'the log contains the visitors’ addresses (TRUST_PROXY)',
    ips.join() === '127.0.0.1,127.0.0.2',
    ips,
  )
}

async function tryBrowser(caddy: Caddy, db: Database, sensei: FixtureSensei) {
  const student = await createStudent(db, sensei.dojoId)
  const keyHash = createHash('sha256')
    .update(
      new X509Certificate(caddy.intermediate).publicKey.export({ type: 'spki', format: 'der' }),
    )
    .digest('base64')
  for (const { subject, isPassed, actual } of await tryInBrowser(
    SITE_URL,
    await signInAs(db, student.id),
    keyHash,
  ))
    reportCheck(subject, isPassed, actual)
}

function tryDoctor(caddy: Caddy) {
  writeFileSync(join(folder, 'root.crt'), caddy.root)
  const doctor = spawnSync(process.execPath, ['server/doctor.ts', '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...settings, NODE_EXTRA_CA_CERTS: join(folder, 'root.crt') },
  })
  const { findings } = JSON.parse(doctor.stdout) as {
    findings: { check: string; state: string; says: string }[]
  }
  for (const name of ['Server', 'Database', 'Address', 'Proxy']) {
    const finding = findings.find(({ check }) => check === name)
    reportCheck(`npm run doctor, ${name}`, finding?.state === 'ok', finding?.says)
  }
}
