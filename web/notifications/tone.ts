const LOUDNESS = 0.12,
  SILENCE = 0.0001
/** A fifth, struck one after the other. */
const NOTES = [
  { hertz: 659.25, at: 0 },
  { hertz: 987.77, at: 0.12 },
]
const NOTE_SECONDS = 0.35

/** Two short notes, made on the spot. Browsers allow it only after the person has touched the page. */
export function playTone() {
  const audio = new AudioContext()
  const sounding = NOTES.map(({ hertz, at }) => {
    const note = audio.createOscillator(),
      volume = audio.createGain()
    const start = audio.currentTime + at,
      end = start + NOTE_SECONDS
    note.frequency.value = hertz
    volume.gain.setValueAtTime(LOUDNESS, start)
    volume.gain.exponentialRampToValueAtTime(SILENCE, end)
    note.connect(volume).connect(audio.destination)
    note.start(start)
    note.stop(end)
    return note
  })
  sounding.at(-1)!.addEventListener('ended', () => void audio.close())
}
