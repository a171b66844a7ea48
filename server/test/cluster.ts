import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../kernel/embedded-postgres.ts'
import { prepareDatabase } from '../kernel/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `adminUrl` may create databases and never serves; `appUrl` is the login that serves; `templateName` is migrated, to be copied. */
    cluster: { adminUrl: string; appUrl: string; templateName: string }
  }
}

type Cluster = { adminUrl: string; appPassword: string; stop: () => Promise<void> }

const databaseOn = (url: string, name: string) => Object.assign(new URL(url), { pathname: `/${name}` }).href

/** `TEST_DATABASE_URL`, a login that may create databases and roles, or else a PostgreSQL of this run's own. */
async function startCluster(): Promise<Cluster> {
  const { TEST_DATABASE_URL } = process.env
  // Roles belong to the whole cluster: runs that share it have to agree on the password.
  if (TEST_DATABASE_URL) return { adminUrl: TEST_DATABASE_URL, appPassword: createHash('sha256').update(TEST_DATABASE_URL).digest('base64url'), stop: async () => {} }
  const dataDir = mkdtempSync(join(tmpdir(), 'tatami-cluster-'))
  const leaveNothing = () => abandon(dataDir)
  process.once('exit', leaveNothing)
  const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }
  const { databaseUrl, appPassword, stop } = await startEmbeddedPostgres({ dataDir, dataDirIsDefault: false, say: () => {}, settings })
  return { adminUrl: databaseUrl, appPassword, stop: async () => {
    await stop()
    process.off('exit', leaveNothing)
    rmSync(dataDir, { recursive: true, force: true })
  } }
}

/** Vitest leaves at once when it is interrupted; the PostgreSQL, which has a session of its own, would stay. */
function abandon(dataDir: string) {
  try {
    const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
    process.kill(postmaster, 'SIGQUIT')
    for (let tries = 0; tries < 40 && process.kill(postmaster, 0); tries += 1) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  } catch { /* It is not running, or no longer. */ }
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

async function ask(url: string, query: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(query)
  } finally {
    await client.end()
  }
}

/** One cluster for the run of the server's tests, with a migrated template to copy. Gives back its end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, appPassword, stop } = await startCluster()
  const templateName = `tatami_test_${randomBytes(4).toString('hex')}`
  await ask(adminUrl, `create database ${templateName}`)
  await prepareDatabase({ databaseUrl: databaseOn(adminUrl, templateName), appPassword })
  project.provide('cluster', { adminUrl, appUrl: Object.assign(new URL(adminUrl), { username: 'tatami_app', password: appPassword }).href, templateName })
  return async () => {
    await ask(adminUrl, `drop database ${templateName} with (force)`)
    await stop()
  }
}
