import type pg from 'pg'
import type { Ids } from './sample-ids.ts'
import { sampleRowStatement } from './sample-rows.ts'

type QueryResult = { rows: Record<string, unknown>[]; count: number; refusal: string }

/** Tries to read and change another dojo's rows of a table, and returns a sentence for each fault.
 *  Rolls back all changes. `client` must be in a transaction, with a login that has every role. */
export async function findTenancyFaults(
  client: pg.ClientBase,
  table: string,
  ourIds: Ids,
  theirIds: Ids,
): Promise<string[]> {
  const run = async (text: string): Promise<QueryResult> => {
    await client.query('savepoint before_query')
    try {
      const { rows, rowCount } = await client.query<Record<string, unknown>>(text)
      return { rows, count: rowCount ?? 0, refusal: '' }
    } catch (error) {
      return { rows: [], count: 0, refusal: (error as Error).message }
    } finally {
      await client.query('rollback to before_query; release before_query')
    }
  }
  const runAs = async (role: string, dojoId: string, text: string) => {
    await client.query(`set local role ${role}; set local app.dojo_id = '${dojoId}'`)
    return run(text)
  }
  const asServer = (text: string, dojoId = ourIds.dojo_id) => runAs('tatami_app', dojoId, text)
  await client.query(
    'savepoint before_grant; set local role tatami_owner; grant select, insert, update, ' +
      `delete on ${table} to tatami_app`,
  )
  const listDojoIds = ({ rows }: QueryResult) => rows.map(({ dojo_id }) => dojo_id)
  const dojosQuery = `select distinct dojo_id from ${table}`
  const failsWithoutDojo = ({ refusal }: QueryResult) =>
    refusal.includes('invalid input syntax for type uuid: ""')
  const isRefused = ({ refusal }: QueryResult) =>
    refusal.includes('violates row-level security policy')
  const whereTheirs = `where dojo_id = '${theirIds.dojo_id}'`
  const overseenDojos = listDojoIds(await runAs('tatami_overseer', '', dojosQuery))
  const checks: [isCorrect: boolean, fault: string][] = [
    [
      String(listDojoIds(await asServer(dojosQuery))) === ourIds.dojo_id,
      'a dojo does not read exactly its own rows',
    ],
    [
      failsWithoutDojo(await asServer(`select 1 from ${table}`, '')),
      'reading without a dojo does not fail',
    ],
    [
      failsWithoutDojo(await asServer(`delete from ${table}`, '')),
      'deleting without a dojo does not fail',
    ],
    [
      isRefused(await asServer(sampleRowStatement(table, theirIds))),
      'a row can be added to another dojo',
    ],
    [
      isRefused(await asServer(`update ${table} set dojo_id = '${theirIds.dojo_id}'`)),
      'a row can be moved to another dojo',
    ],
    [
      (await asServer(`update ${table} set dojo_id = dojo_id ${whereTheirs}`)).count === 0,
      'another dojo’s rows can be changed',
    ],
    [
      (await asServer(`delete from ${table} ${whereTheirs}`)).count === 0,
      'another dojo’s rows can be deleted',
    ],
    [
      (await runAs('tatami_owner', ourIds.dojo_id, dojosQuery)).count === 0,
      'the owner of the table is exempt',
    ],
    [
      [ourIds, theirIds].every(({ dojo_id }) => overseenDojos.includes(dojo_id)),
      'the overseer does not read every dojo',
    ],
    [
      (await runAs('tatami_overseer', '', `delete from ${table}`)).refusal !== '',
      'the overseer can delete',
    ],
  ]
  await client.query('rollback to before_grant; release before_grant')
  return checks.filter(([isCorrect]) => !isCorrect).map(([, fault]) => `${table}: ${fault}`)
}
