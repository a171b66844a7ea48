import { unzipSync } from 'fflate'

export const unzipTexts = (zip: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  )

/** Returns the text of a response, or of all files in it if it is a ZIP. */
export const exportedText = ({
  headers,
  payload,
  rawPayload,
}: {
  headers: Record<string, unknown>
  payload: string
  rawPayload: Buffer
}): string =>
  headers['content-type'] === 'application/zip'
    ? Object.entries(unzipTexts(rawPayload)).flat().join('\n')
    : payload
