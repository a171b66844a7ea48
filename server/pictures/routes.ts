import { DAY_MS } from '@tatami/contract/lib/calendar-day'
import { picturesApi } from '@tatami/contract/pictures/pictures'
import { requesterByAddress } from '../http/fair-queue.ts'
import { type App, okReply, serve } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { removeLogo, removePhoto, setColor, setLogo, setPhoto } from './change-pictures.ts'
import { findLogo, findPhoto } from './pictures.ts'

/** High, because everyone at a school may share an IP address, and a student list has many photos. */
const RATE_LIMIT = { max: 3000, timeWindow: 60_000 }
const DAY_SECONDS = DAY_MS / 1000
/** `private` lets a person's browser keep a photo, but not a cache that several people share. */
const FOLDERS = {
  photos: { find: findPhoto, cacheControl: `private, max-age=${DAY_SECONDS}, immutable` },
  logos: { find: findLogo, cacheControl: `public, max-age=${7 * DAY_SECONDS}, immutable` },
}

/** Needs no login, because browsers send no token for a picture. No one can guess an address. */
function servePictures({ http, db, anonymousQueue }: App, folder: keyof typeof FOLDERS) {
  const { find, cacheControl } = FOLDERS[folder]
  http.get<{ Params: { file: string } }>(
    `/${folder}/:file`,
    { config: { rateLimit: RATE_LIMIT, isCall: true, polled: true } },
    async (request, reply) => {
      const picture = await anonymousQueue(requesterByAddress(request.ip), () =>
        find(db, request.params.file),
      )
      if (!picture) throw new Refusal(404, 'Not found')
      return reply
        .header('cache-control', cacheControl)
        .header('x-content-type-options', 'nosniff')
        .type(picture.media_type)
        .send(picture.bytes)
    },
  )
}

export function picturesRoutes(app: App): void {
  servePictures(app, 'photos')
  servePictures(app, 'logos')
  serve(app, picturesApi, {
    setPhoto: ({ tx, caller, params, body }) => setPhoto(tx, caller, params.id, body.picture),
    removePhoto: ({ tx, caller, params }) => okReply(removePhoto(tx, caller, params.id)),
    setLogo: ({ tx, caller, body }) => setLogo(tx, caller, body.picture),
    removeLogo: ({ tx, caller }) => removeLogo(tx, caller),
    setColor: ({ tx, caller, body }) => setColor(tx, caller, body.color ?? null),
  })
}
