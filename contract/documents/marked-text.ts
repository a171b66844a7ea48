/** The text of a document is plain: a line that begins with "# " is a heading, a line that begins
 *  with "- " is an item of a list, and an empty line ends a paragraph. */
export type TextBlock = { kind: 'heading' | 'item' | 'paragraph'; text: string }

const HEADING = /^#{1,3} +/
const ITEM = /^[-*] +/

function parseLine(line: string): TextBlock {
  if (HEADING.test(line)) return { kind: 'heading', text: line.replace(HEADING, '') }
  if (ITEM.test(line)) return { kind: 'item', text: line.replace(ITEM, '') }
  return { kind: 'paragraph', text: line }
}

/** Lines of a paragraph that follow each other become one block. */
export function parseMarkedText(markedText: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let isParagraphOpen = false
  for (const line of markedText.split(/\r?\n/).map((rawLine) => rawLine.trim())) {
    const lastBlock = blocks.at(-1)
    const block = parseLine(line)
    if (line !== '' && block.kind === 'paragraph' && isParagraphOpen && lastBlock)
      lastBlock.text += ` ${line}`
    else if (line !== '') blocks.push(block)
    isParagraphOpen = line !== '' && block.kind === 'paragraph'
  }
  return blocks
}
