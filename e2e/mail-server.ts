import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

/** A mail server that keeps each letter as a file, where the workers find it. Gives back its address and its end. */
export async function startMailServer() {
  const box = mkdtempSync(join(tmpdir(), 'tatami-letters-'))
  let count = 0
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData: (stream, { envelope }, callback) => {
      const parts: Buffer[] = []
      stream
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          const recipients = envelope.rcptTo.map(({ address }) => address).join()
          writeFileSync(
            join(box, `${(count += 1)} ${recipients}`),
            plain(Buffer.concat(parts).toString()),
          )
          callback()
        })
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  process.env.E2E_MAILBOX = box
  return {
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    stop: async () => {
      await new Promise<void>((resolve) => {
        smtp.close(resolve)
      })
      rmSync(box, { recursive: true, force: true })
    },
  }
}

/** Quoted-printable, as far as our letters need it. */
const plain = (letter: string) => letter.replaceAll(/=\r\n/g, '').replaceAll('=3D', '=')

/** The letters to an address so far. */
export function emailsTo(address: string): string[] {
  const box = process.env.E2E_MAILBOX ?? ''
  return readdirSync(box)
    .filter((name) => name.endsWith(` ${address}`))
    .map((name) => readFileSync(join(box, name), 'utf8'))
}
