/** Vitest's global setup for the server tests: one PostgreSQL server, with a migrated database that
 *  each test file copies. */
import { createHash, randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { createFirstSuperAdmin } from '../accounts/first-super-admin.ts'
import { DATABASE_RULES } from '../database-rules.ts'
import { connect } from '../db/database.ts'
import { prepareDatabase } from '../db/migrate.ts'
import { findOrCreatePushKeys } from '../notifications/push-keys.ts'
import { ADMIN } from './fixtures.ts'
import { dropDatabase, runQueries, startTemporaryCluster } from './temporary-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `adminUrl` has a login that may create databases and roles, but is not a superuser. `appUrl`
     *  has the login that the server uses. `templateName` is the migrated database to copy. */
    cluster: { adminUrl: string; appUrl: string; templateName: string }
  }
}

type Cluster = { adminUrl: string; stop: () => Promise<unknown> }

const changeUrl = (
  url: string,
  changes: { pathname?: string; username?: string; password?: string },
) => Object.assign(new URL(url), changes).href
// Test runs that share a PostgreSQL server must use the same passwords.
const passwordFor = (url: string) => createHash('sha256').update(url).digest('base64url')

/** Uses the PostgreSQL server at `TEST_DATABASE_URL`, or starts one. */
async function startCluster(): Promise<Cluster> {
  const { TEST_DATABASE_URL } = process.env
  if (TEST_DATABASE_URL) return { adminUrl: TEST_DATABASE_URL, stop: async () => {} }
  const { superuserUrl, stop } = await startTemporaryCluster()
  const login = { username: 'tatami_login', password: passwordFor(superuserUrl) }
  await runQueries(
    superuserUrl,
    `create role ${login.username} login createdb createrole password '${login.password}'`,
  )
  return { adminUrl: changeUrl(superuserUrl, { ...login, pathname: '/postgres' }), stop }
}

/** Creates the super admin, and the push keys, which take a long time to generate. */
async function fillTemplate(databaseUrl: string) {
  const db = connect(databaseUrl)
  await createFirstSuperAdmin(db, ADMIN)
  await findOrCreatePushKeys(db)
  await db.close()
}

/** With `TEST_SERVE_AS=owner`, the server uses the login that migrates the database, as it does in
 *  production without `APP_DATABASE_URL`. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, stop } = await startCluster()
  const templateName = `tatami_test_${randomBytes(4).toString('hex')}`
  const app = { username: 'tatami_app', password: passwordFor(adminUrl) }
  await runQueries(adminUrl, `create database ${templateName}`)
  await prepareDatabase(
    {
      databaseUrl: changeUrl(adminUrl, { pathname: `/${templateName}` }),
      appPassword: app.password,
    },
    DATABASE_RULES,
  )
  await fillTemplate(changeUrl(adminUrl, { ...app, pathname: `/${templateName}` }))
  project.provide('cluster', {
    adminUrl,
    appUrl: process.env.TEST_SERVE_AS === 'owner' ? adminUrl : changeUrl(adminUrl, app),
    templateName,
  })
  return async () => {
    await dropDatabase(adminUrl, templateName)
    await stop()
  }
}
