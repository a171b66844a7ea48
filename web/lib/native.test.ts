import { afterEach, expect, test, vi } from 'vitest'
import { isNative, startNative } from './native.ts'

const METHODS = {
  App: ['addListener', 'minimizeApp'],
  StatusBar: ['setStyle', 'setBackgroundColor'],
}
type Call = [plugin: string, method: string, options: unknown]

let calls: Call[] = []
let unsupportedMethods: string[] = []
let backButtonListeners: ((data: unknown) => void)[] = []
const pressBack = (event: { canGoBack: boolean }) =>
  backButtonListeners.forEach((listener) => listener(event))
/** The bridge that Android puts into the page. Capacitor looks for it once, when it loads. */
const bridge = {
  isNativePlatform: () => true,
  PluginHeaders: Object.entries(METHODS).map(([name, methods]) => ({
    name,
    methods: methods.map((method) => ({
      name: method,
      rtype: method === 'addListener' ? 'callback' : 'promise',
    })),
  })),
  nativePromise: async (plugin: string, method: string, options: unknown) => {
    calls.push([plugin, method, options])
    if (unsupportedMethods.includes(method)) throw new Error(`${method} is not implemented`)
  },
  nativeCallback: (
    plugin: string,
    method: string,
    options: unknown,
    listener: (data: unknown) => void,
  ) => {
    calls.push([plugin, method, options])
    backButtonListeners.push(listener)
    return 'callback'
  },
}
const runInNativeApp = () =>
  Object.assign(globalThis, { Capacitor: bridge, androidBridge: { postMessage: () => {} } })

function stubPage(dialogs: { dispatchEvent: (event: Event) => boolean }[] = []) {
  const dataset: Record<string, string> = {}
  const back = vi.fn<() => void>()
  const querySelector = () => ({ getAttribute: () => '#7c3aed' })
  vi.stubGlobal('document', {
    documentElement: { dataset },
    querySelector,
    querySelectorAll: () => dialogs,
  })
  vi.stubGlobal('history', { back })
  return { dataset, back }
}
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  calls = []
  unsupportedMethods = []
  backButtonListeners = []
})

test('does nothing in a browser, even if there is a global named Capacitor', async () => {
  const { dataset } = stubPage()
  for (const capacitor of [undefined, {}, { isNativePlatform: () => false }]) {
    vi.stubGlobal('Capacitor', capacitor)
    expect(isNative()).toBe(false)
    await startNative()
  }
  expect(dataset).toEqual({})
})

test('makes the app’s status bar violet with light text, once', async () => {
  runInNativeApp()
  const { dataset } = stubPage()
  expect(isNative()).toBe(true)
  await startNative()
  await startNative()
  expect(dataset).toEqual({ native: '' })
  expect(calls).toContainEqual(['StatusBar', 'setStyle', { style: 'DARK' }])
  expect(calls).toContainEqual(['StatusBar', 'setBackgroundColor', { color: '#7c3aed' }])
  expect(calls).toHaveLength(3)
})

test('sets up the supported features if a phone lacks one', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  runInNativeApp()
  stubPage()
  unsupportedMethods = ['setBackgroundColor']
  await startNative()
  expect(calls.map(([, method]) => method)).toEqual(
    expect.arrayContaining(['addListener', 'setStyle', 'setBackgroundColor']),
  )
  expect(warn).toHaveBeenCalledOnce()
})

test('closes the top dialog, goes back or leaves the app when Back is pressed', async () => {
  const dialogEvents: string[] = []
  const createDialog = (name: string) => ({
    dispatchEvent: ({ type }: Event) => Boolean(dialogEvents.push(`${type} ${name}`)),
  })
  const dialogs = [createDialog('below'), createDialog('on top')]
  runInNativeApp()
  const { back } = stubPage(dialogs)
  await startNative()
  pressBack({ canGoBack: true })
  expect([dialogEvents, back.mock.calls.length]).toEqual([['cancel on top'], 0])
  dialogs.length = 0
  pressBack({ canGoBack: true })
  expect(back).toHaveBeenCalledOnce()
  pressBack({ canGoBack: false })
  await vi.waitFor(() => expect(calls).toContainEqual(['App', 'minimizeApp', undefined]))
})
