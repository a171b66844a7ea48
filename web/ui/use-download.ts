import type { Endpoint } from '@tatami/contract/lib/endpoint'
import { useMutation } from '@tanstack/react-query'
import { type Args, failureOf, logFailure } from '../lib/api.ts'
import { callForFile } from '../lib/file-api.ts'
import { saveFile } from './save-file.ts'

export function useDownload<const E extends Endpoint & { file: string }>(endpoint: E) {
  const download = useMutation({
    mutationFn: (input: Args<E>[0]) => callForFile(endpoint, input),
    onSuccess: saveFile,
    onError: (error) => logFailure(endpoint, error),
  })
  return {
    start: (input?: Args<E>[0]) => download.isPending || download.mutate(input),
    isPending: download.isPending,
    isDone: download.isSuccess,
    error: failureOf(download, 'The file could not be downloaded. Please try again.'),
  }
}
