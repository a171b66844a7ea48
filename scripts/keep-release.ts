/** Saves sample rows and a backup, which later tests upgrade. Run it once per release, before the
 *  tag: node scripts/keep-release.ts 1.1.0 2, where 2 is the number of migrations (default:
 *  all). */
import { rmSync } from 'node:fs'
import pg from 'pg'
import { backUp } from '../server/backups/back-up.ts'
import { DATABASE_RULES } from '../server/database-rules.ts'
import { connect } from '../server/db/database.ts'
import { countMigrations, prepareDatabase } from '../server/db/migrate.ts'
import {
  releaseBackupPath,
  insertRows,
  saveRelease,
  runMigrations,
  copyMigrations,
  readAllRows,
} from '../server/test/releases.ts'
import { createSampleDojo } from '../server/test/sample-rows.ts'
import { runQueries, startTemporaryCluster } from '../server/test/temporary-cluster.ts'

const [version, migrationsArgument = countMigrations()] = process.argv.slice(2)
if (!version) throw new Error('The version is missing: node scripts/keep-release.ts 1.1.0')
const migrations = Number(migrationsArgument)

const { superuserUrl, stop } = await startTemporaryCluster()
const folder = copyMigrations(migrations)
try {
  // `DATABASE_RULES` grants each role its privileges on the tables.
  await prepareDatabase({ databaseUrl: superuserUrl }, DATABASE_RULES)
  const db = connect(superuserUrl)
  for (let dojo = 0; dojo < 2; dojo += 1) await createSampleDojo(db)
  await db.close()
  await runQueries(superuserUrl, 'create database release')
  const currentClient = new pg.Client({ connectionString: superuserUrl })
  const oldUrl = Object.assign(new URL(superuserUrl), { pathname: '/release' }).href
  const oldClient = new pg.Client({ connectionString: oldUrl })
  for (const client of [currentClient, oldClient]) await client.connect()
  await runMigrations(oldClient, folder)
  const rowsByTable = await readAllRows(currentClient)
  for (const name of Object.keys(await readAllRows(oldClient)))
    for (const row of rowsByTable[name] ?? [])
      // A row is skipped if its table had fewer columns in the release.
      await insertRows(oldClient, { [name]: [row] }).catch((error: Error) =>
        console.log(`${name}: ${error.message}`),
      )
  saveRelease({ version, migrations, tables: await readAllRows(oldClient) })
  // By default, a backup fails if it would leave too little of the disk free (`reserveBytes`).
  await backUp({ databaseUrl: oldUrl, path: releaseBackupPath(version), reserveBytes: 0 })
  for (const client of [currentClient, oldClient]) await client.end()
} finally {
  await stop()
  rmSync(folder, { recursive: true })
}
