import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { inspectEmbeddedDatabase } from './db/embedded-database.ts'
import { checkBackups } from './doctor/backups.ts'
import { checkDatabase, checkEmbeddedDatabase } from './doctor/database.ts'
import { formatCount, type Finding, problem } from './doctor/finding.ts'
import { checkDataFolder, checkDisk, checkFailed, checkNode, checkPort } from './doctor/machine.ts'
import {
  checkAddress,
  checkMail,
  checkPushService,
  checkTexts,
  maySetUpAccounts,
} from './doctor/outside.ts'
import { type Env, readEnv, settingsFile } from './env.ts'
import { StartupError } from './lib/startup-error.ts'
import { VERSION } from './lib/version.ts'
import { createConfiguredProvider } from './texting/service.ts'

/** `npm run doctor`: checks the machine, the settings, the database and the services. */

const SYMBOLS: Record<Finding['state'], string> = { ok: '✓', warning: '!', problem: '✗' }

async function runChecks(isOffline: boolean): Promise<Finding[]> {
  let env: Env
  try {
    env = readEnv()
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    return [
      checkNode(),
      problem(
        'Settings',
        error.message,
        `Correct the setting in the environment or in ${settingsFile()}.`,
      ),
    ]
  }
  const embeddedDatabase = env.databaseUrl
    ? undefined
    : inspectEmbeddedDatabase({ dataDir: env.dataDir, mayRelocate: env.dataDirIsDefault })
  const dataDir = embeddedDatabase?.dataDir ?? env.dataDir
  const backupDir = env.backupDir === undefined ? join(dataDir, 'backups') : env.backupDir
  const server = await checkPort(env)
  const { isRunning } = server
  const checks: [name: string, () => Promise<Finding | Finding[]>][] = [
    ['Data folder', () => checkDataFolder(dataDir, settingsFile())],
    ['Disk', () => checkDisk(dataDir)],
    ['Backups', () => checkBackups(backupDir)],
    [
      'Database',
      async () => {
        if (env.databaseUrl) return checkDatabase(env.databaseUrl, { isRunning })
        return embeddedDatabase ? checkEmbeddedDatabase(embeddedDatabase, { isRunning }) : []
      },
    ],
  ]
  if (!isOffline)
    checks.push(
      ['Address', () => checkAddress({ ...env, isRunning })],
      ['Mail', () => checkMail(env.smtpUrl)],
      ['Texts', () => checkTexts(createConfiguredProvider(env), maySetUpAccounts(env))],
      ['Push', () => checkPushService()],
    )
  const results = await Promise.all(
    checks.map(([name, check]) => check().catch((error: unknown) => checkFailed(name, error))),
  )
  return [checkNode(), ...server.findings, ...results.flat()]
}

function printFindings(findings: Finding[]) {
  console.log(`Tatami ${VERSION}`)
  const width = Math.max(...findings.map(({ check }) => check.length))
  for (const { check, state, says, remedy } of findings) {
    console.log(`${SYMBOLS[state]} ${check.padEnd(width)}  ${says}`)
    if (remedy) console.log(`  ${' '.repeat(width)}  → ${remedy}`)
  }
  const count = (state: Finding['state']) =>
    findings.filter((finding) => finding.state === state).length
  console.log(
    `${formatCount(count('problem'), 'problem')}, ${formatCount(count('warning'), 'warning')}`,
  )
}

const { values: flags } = parseArgs({
  options: { json: { type: 'boolean' }, offline: { type: 'boolean' } },
})
const findings = await runChecks(flags.offline ?? false)
if (flags.json) console.log(JSON.stringify({ version: VERSION, findings }, null, 2))
else printFindings(findings)
process.exit(findings.some(({ state }) => state === 'problem') ? 1 : 0)
