import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { useMutation } from '@tanstack/react-query'
import { type Args, failureMessage, logFailure } from '../lib/api.ts'
import { callForFile, type ReceivedFile } from '../lib/file-api.ts'

/** The browser may not read the URL until some time after the click. */
const URL_LIFETIME_MS = 60_000

export function saveFile({ name, content }: ReceivedFile): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  // While a dialog is open, nothing outside it can be clicked.
  ;(document.querySelector('dialog[open]') ?? document.body).append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), URL_LIFETIME_MS)
}

export function useDownload<const CalledEndpoint extends Endpoint & { file: string }>(
  endpoint: CalledEndpoint,
) {
  const download = useMutation({
    mutationFn: (input: Args<CalledEndpoint>[0]) => callForFile(endpoint, input),
    onSuccess: saveFile,
    onError: (error) => logFailure(endpoint, error),
  })
  return {
    start: (input?: Args<CalledEndpoint>[0]) => download.isPending || download.mutate(input),
    isPending: download.isPending,
    isDone: download.isSuccess,
    error: failureMessage(download, 'The file could not be downloaded. Please try again.'),
  }
}
