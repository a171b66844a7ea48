import { classDatesApi } from '@tatami/contract/calendar/class-dates'
import { MAX_DATE, MIN_DATE } from '@tatami/contract/lib/fields'
import { type App, serve, okReply } from '../../http/serve.ts'
import { findHolidays } from '../timetable/timetable.ts'
import {
  addDate,
  cancelDate,
  moveDateBack,
  moveDate,
  removeDate,
  restoreDate,
  setSubstitute,
} from './changes.ts'
import { listClassDates } from './dates.ts'
import { addHoliday, changeHoliday, removeHoliday } from './holidays.ts'
import { askForPlace, giveBackPlace, givePlace, setPlaces } from './places.ts'

export const classDatesRoutes = (app: App) =>
  serve(app, classDatesApi, {
    list: ({ tx, caller, query }) => listClassDates(tx, caller, query),
    add: ({ tx, caller, body }) => addDate(tx, caller, body),
    remove: ({ tx, caller, query }) => okReply(removeDate(tx, caller, query)),
    cancel: ({ tx, caller, body }) => cancelDate(tx, caller, body),
    restore: ({ tx, caller, query }) => okReply(restoreDate(tx, caller, query)),
    move: ({ tx, caller, body }) => moveDate(tx, caller, body),
    moveBack: ({ tx, caller, query }) => okReply(moveDateBack(tx, caller, query)),
    setSubstitute: ({ tx, caller, body }) => setSubstitute(tx, caller, body),
    setPlaces: ({ tx, caller, params, body }) => setPlaces(tx, caller, params.id, body.places),
    askForPlace: ({ tx, caller, body }) => askForPlace(tx, caller, body),
    givePlace: ({ tx, caller, body }) => givePlace(tx, caller, body),
    giveBackPlace: ({ tx, caller, query }) => okReply(giveBackPlace(tx, caller, query)),
    holidays: ({ tx }) => findHolidays(tx, MIN_DATE, MAX_DATE),
    addHoliday: ({ tx, caller, body }) => addHoliday(tx, caller, body),
    changeHoliday: ({ tx, caller, params, body }) => changeHoliday(tx, caller, params.id, body),
    removeHoliday: ({ tx, caller, params }) => okReply(removeHoliday(tx, caller, params.id)),
  })
