import { kioskApi } from '@tatami/contract/kiosk/kiosk'
import { kiosksApi } from '@tatami/contract/kiosk/kiosks'
import { requireStudent } from '../guardians/guardianships.ts'
import { requireVisibleStudent } from '../guardians/readers.ts'
import { type App, serve, SUCCESS, okReply } from '../http/serve.ts'
import { Refusal } from '../lib/refusal.ts'
import { checkIn, undoCheckIn } from './check-in.ts'
import { hasKiosk, readOwnCheckIn, readOwnCode, renewCode } from './codes.ts'
import { findPeopleByCode, searchStudents } from './identify.ts'
import { createKiosk, createLink, endKiosk, listKiosks, setAsksPin, switchOn } from './kiosks.ts'
import { readOfflinePeople } from './offline.ts'
import { drawPin, hasPin, removePin, setPin } from './pins.ts'
import { readKioskState } from './today.ts'

export function kioskRoutes(app: App, publicUrl: string) {
  const { db } = app
  serve(app, kioskApi, {
    show: ({ tx, caller }) => readKioskState(tx, caller),
    offline: ({ tx, caller }) => readOfflinePeople(tx, caller),
    search: ({ tx, caller, body }) => searchStudents(tx, caller, body.text),
    code: ({ tx, caller, body }) => findPeopleByCode(tx, caller, body.code, body.class_id),
    checkIn: {
      withoutTransaction: async ({ caller, body }) => {
        const reply = await db.inDojo(caller.dojoId, (tx) => checkIn(tx, caller, body, publicUrl))
        if (reply instanceof Refusal) throw reply
        return reply
      },
    },
    undo: ({ tx, caller, params }) => okReply(undoCheckIn(tx, caller, params.id)),
  })
  serve(app, kiosksApi, {
    list: ({ tx, caller }) => listKiosks(tx, caller),
    create: ({ tx, caller, body }) => createKiosk(tx, caller, body.name),
    createLink: ({ tx, caller, body }) => createLink(tx, caller, body.name, publicUrl),
    switchOn: { withoutTransaction: ({ body }) => switchOn(db, body.code) },
    end: ({ tx, caller, params }) => okReply(endKiosk(tx, caller, params.id)),
    setSettings: ({ tx, caller, body }) => setAsksPin(tx, caller, body.asks_pin),
    showPin: async ({ tx, params }) => {
      await requireStudent(tx, params.id)
      return { has_pin: await hasPin(tx, params.id), has_kiosk: await hasKiosk(tx) }
    },
    setPin: ({ tx, caller, params, body }) => okReply(setPin(tx, caller, params.id, body.pin)),
    removePin: ({ tx, caller, params }) => okReply(removePin(tx, caller, params.id)),
    own: ({ tx, caller }) => readOwnCheckIn(tx, caller),
    ownCode: ({ tx, caller }) => readOwnCode(tx, caller),
    renewCode: ({ tx, caller }) => okReply(renewCode(tx, caller)),
    setOwnPin: async ({ tx, caller, params }) => {
      await requireVisibleStudent(tx, caller, params.id)
      return { pin: await drawPin(tx, caller, params.id) }
    },
    removeOwnPin: async ({ tx, caller, params }) => {
      await requireVisibleStudent(tx, caller, params.id)
      await removePin(tx, caller, params.id)
      return SUCCESS
    },
  })
}
