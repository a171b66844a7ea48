import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

/** Finds the processes of a PostgreSQL server. `freeze` pauses them: connections stay open but get
 *  no response until `thaw`. */
export async function findFreezablePostgres(
  superuserUrl: string,
): Promise<{ freeze: () => void; thaw: () => void }> {
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  const { rows } = await client.query<{ data_directory: string }>('show data_directory')
  await client.end()
  const postmasterPid = Number.parseInt(
    readFileSync(join(rows[0]!.data_directory, 'postmaster.pid'), 'utf8'),
    10,
  )
  const sendSignal = (signal: 'SIGSTOP' | 'SIGCONT') => {
    for (const pid of [postmasterPid, ...listChildProcesses(postmasterPid)])
      try {
        process.kill(pid, signal)
      } catch {
        // The process has ended in the meantime.
      }
  }
  return { freeze: () => sendSignal('SIGSTOP'), thaw: () => sendSignal('SIGCONT') }
}

const listChildProcesses = (parentPid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        return (
          Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parentPid
        )
      } catch {
        return false // The process has ended in the meantime.
      }
    })
