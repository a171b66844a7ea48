import { unzipSync } from 'fflate'

/** The files in a zip, by their names. */
export const filesIn = (zip: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  )

/** What an answer says, also where that is in a zip. */
export const textOf = ({
  headers,
  payload,
  rawPayload,
}: {
  headers: Record<string, unknown>
  payload: string
  rawPayload: Buffer
}): string =>
  headers['content-type'] === 'application/zip'
    ? Object.entries(filesIn(rawPayload)).flat().join('\n')
    : payload
