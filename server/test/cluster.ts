import { createHash, randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { createFirstSuperAdmin } from '../accounts/first-super-admin.ts'
import { DATABASE_RULES } from '../database-rules.ts'
import { connect } from '../db/database.ts'
import { prepareDatabase } from '../db/migrate.ts'
import { ensurePushKeys } from '../notifications/push-keys.ts'
import { ADMIN } from './fixtures.ts'
import { dropDatabase, runQueries, startTemporaryCluster } from './temporary-cluster.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** `adminUrl` may create databases and roles, and is no superuser; `appUrl` is the serving
     *  login; `templateName` is a migrated database to copy. */
    cluster: { adminUrl: string; appUrl: string; templateName: string }
  }
}

type Cluster = { adminUrl: string; stop: () => Promise<unknown> }

const changeUrl = (
  url: string,
  changes: { pathname?: string; username?: string; password?: string },
) => Object.assign(new URL(url), changes).href
// Runs that share a cluster must agree on the passwords of its roles.
const passwordFor = (text: string) => createHash('sha256').update(text).digest('base64url')

/** `TEST_DATABASE_URL` may create databases and roles; otherwise the run gets a cluster with such a
 *  login. */
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

/** The super admin, and keys that take a moment to generate. */
async function fillTemplate(databaseUrl: string) {
  const db = connect(databaseUrl)
  await createFirstSuperAdmin(db, ADMIN)
  await ensurePushKeys(db)
  await db.close()
}

/** One cluster for the server's tests, with a migrated template to copy. With `TEST_SERVE_AS=owner`
 *  the server uses the migrating login, as without `APP_DATABASE_URL`. */
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
