import { staffCertificatesApi } from '@tatami/contract/staff/staff-certificates'
import { type App, okReply, serve } from '../../http/serve.ts'
import { readCertificateAlerts } from './alerts.ts'
import {
  addCertificate,
  changeCertificate,
  listCertificates,
  listOwnCertificates,
  recheckCertificate,
  removeCertificate,
  renewCertificate,
  restoreCertificate,
} from './certificates.ts'
import { addKind, changeKind, listKinds, removeKind } from './kinds.ts'

export const certificateRoutes = (app: App) =>
  serve(app, staffCertificatesApi, {
    list: async ({ tx }) => ({
      kinds: await listKinds(tx),
      certificates: await listCertificates(tx),
    }),
    listOwn: async ({ tx, caller }) => ({ certificates: await listOwnCertificates(tx, caller) }),
    alerts: ({ tx, caller }) => readCertificateAlerts(tx, caller.dojoId),
    add: async ({ tx, caller, body }) => ({
      certificate: await addCertificate(tx, caller, body),
    }),
    change: async ({ tx, caller, params, body }) => ({
      certificate: await changeCertificate(tx, caller, params.id, body),
    }),
    renew: async ({ tx, caller, params }) => ({
      certificate: await renewCertificate(tx, caller, params.id),
    }),
    recheck: async ({ tx, caller, params }) => ({
      certificate: await recheckCertificate(tx, caller, params.id),
    }),
    remove: ({ tx, caller, params }) => okReply(removeCertificate(tx, caller, params.id)),
    restore: async ({ tx, caller, params }) => ({
      certificate: await restoreCertificate(tx, caller, params.id),
    }),
    addKind: async ({ tx, caller, body }) => ({ kinds: await addKind(tx, caller, body) }),
    changeKind: async ({ tx, caller, params, body }) => ({
      kinds: await changeKind(tx, caller, params.id, body),
    }),
    removeKind: async ({ tx, caller, params }) => ({
      kinds: await removeKind(tx, caller, params.id),
    }),
  })
