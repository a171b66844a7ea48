type Press = { at: number; x: number; y: number }

const DOUBLE_TAP_MS = 350
const DOUBLE_TAP_PX = 24

let previousPress: Press | undefined
let lastPress: Press | undefined

document.addEventListener(
  'pointerdown',
  ({ timeStamp, clientX, clientY }) => {
    previousPress = lastPress
    lastPress = { at: timeStamp, x: clientX, y: clientY }
  },
  { capture: true },
)

/** The second tap of a double tap is not meant for what the first one opened. */
export function isSecondTap(): boolean {
  if (!previousPress || !lastPress) return false
  const distance = Math.hypot(lastPress.x - previousPress.x, lastPress.y - previousPress.y)
  return lastPress.at - previousPress.at < DOUBLE_TAP_MS && distance < DOUBLE_TAP_PX
}
