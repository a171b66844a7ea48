import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type Plugin, type ESTree } from 'vite'

const SERVER_FIELDS = [
  'summary',
  'throttle',
  'file',
  'duringSignIn',
  'maxBodyBytes',
  'params',
  'query',
  'body',
  'reply',
]
const SCHEMAS = '?schemas'

type Import = { from: string; names: string[] }
type Statement = {
  code: string
  names: string[]
  uses: Set<string>
  isExported: boolean
  isSchema: boolean
}
type Module = { imports: Import[]; statements: Statement[] }

function withoutServerFields(source: string): string {
  const fields: { start: number; end: number }[] = []
  new Visitor({
    ObjectExpression({ properties }) {
      const namedFields = properties.flatMap((field) =>
        field.type === 'Property' && field.key.type === 'Identifier'
          ? { name: field.key.name, start: field.start, end: field.end }
          : [],
      )
      const isEndpoint = ['method', 'path', 'access'].every((name) =>
        namedFields.some((field) => field.name === name),
      )
      if (isEndpoint) fields.push(...namedFields.filter(({ name }) => SERVER_FIELDS.includes(name)))
    },
  }).visit(parseSync('contract.ts', source).program)
  return fields
    .toReversed()
    .reduce(
      (code, { start, end }) => code.slice(0, start) + code.slice(end).replace(/^\s*,/, ''),
      source,
    )
}

/** Names are followed without their scopes. Property names do not count. */
function identifiersIn(code: string): Set<string> {
  const identifiers = new Set<string>()
  const properties = new Set<number>()
  new Visitor({
    MemberExpression: ({ computed, property }) => void (computed || properties.add(property.start)),
    Property: ({ computed, shorthand, key }) =>
      void (computed || shorthand || properties.add(key.start)),
    TSPropertySignature: ({ computed, key }) => void (computed || properties.add(key.start)),
    Identifier: ({ name, start }) => void (properties.has(start) || identifiers.add(name)),
  }).visit(parseSync('statement.ts', code).program)
  return identifiers
}

/** Names of parameters and variables inside a statement. */
function localNamesIn(code: string): Set<string> {
  const localNames = new Set<string>()
  const addNames = (pattern: ESTree.Node | null): void => {
    if (pattern?.type === 'Identifier') localNames.add(pattern.name)
    else if (pattern?.type === 'ArrayPattern') pattern.elements.forEach(addNames)
    else if (pattern?.type === 'AssignmentPattern') addNames(pattern.left)
    else if (pattern?.type === 'RestElement') addNames(pattern.argument)
    else if (pattern?.type === 'ObjectPattern')
      for (const field of pattern.properties)
        addNames(field.type === 'Property' ? field.value : field)
  }
  new Visitor({
    FunctionDeclaration: ({ params }) => params.forEach(addNames),
    FunctionExpression: ({ params }) => params.forEach(addNames),
    ArrowFunctionExpression: ({ params }) => params.forEach(addNames),
    VariableDeclarator: ({ id }) => addNames(id),
  }).visit(parseSync('statement.ts', code).program)
  return localNames
}

const moduleByFile = new Map<string, Module>()
const moduleAt = (file: string) =>
  moduleByFile.get(file) ?? moduleByFile.set(file, parseModule(file)).get(file)!

/** A statement is part of the schemas if it uses zod or a schema, or serves only those. */
function parseModule(file: string): Module {
  const source = withoutServerFields(readFileSync(file, 'utf8'))
  const imports: Import[] = []
  const statements: Statement[] = []
  for (const node of parseSync(file, source).program.body) {
    const isExported = node.type === 'ExportNamedDeclaration'
    const declaration = isExported ? node.declaration : node
    if (
      declaration?.type === 'VariableDeclaration' ||
      declaration?.type === 'FunctionDeclaration'
    ) {
      const declarations =
        declaration.type === 'VariableDeclaration' ? declaration.declarations : [declaration]
      const names = declarations.map(({ id }) => (id as { name: string }).name)
      const code = source.slice(declaration.start, declaration.end)
      statements.push({ code, names, uses: identifiersIn(code), isExported, isSchema: false })
    } else if (node.type === 'ImportDeclaration') {
      const values = node.specifiers.filter(
        (specifier) =>
          node.importKind !== 'type' &&
          !('importKind' in specifier && specifier.importKind === 'type'),
      )
      imports.push({ from: node.source.value, names: values.map(({ local }) => local.name) })
    } else if (
      declaration?.type !== 'TSTypeAliasDeclaration' &&
      !(isExported && node.exportKind === 'type')
    )
      throw new Error(`${file}: a module of the contract only declares, it has no ${node.type}`)
  }
  const schemas = new Set(
    imports.flatMap(({ from, names }) =>
      names.filter((name) => from === 'zod' || isSchema(join(file, '..', from), name)),
    ),
  )
  // Repeated, because a statement may use a schema that is declared below it.
  let schemaCount: number
  do {
    schemaCount = schemas.size
    for (const statement of statements) {
      statement.isSchema = [...statement.uses].some((name) => schemas.has(name))
      if (statement.isSchema) statement.names.forEach((name) => schemas.add(name))
    }
  } while (schemas.size > schemaCount)
  for (const { names, code } of statements) {
    const schemaName = [...localNamesIn(code)].find(
      (name) => schemas.has(name) && !names.includes(name),
    )
    if (schemaName)
      throw new Error(
        `${file}: ${names.join()} has a variable or parameter with the name of the schema ` +
          `${schemaName}, and would count as a schema itself. Rename the variable.`,
      )
  }
  for (const statement of statements.toReversed()) {
    const users = statements.filter(
      (user) => user !== statement && statement.names.some((name) => user.uses.has(name)),
    )
    statement.isSchema ||= !statement.isExported && users.every((user) => user.isSchema)
  }
  return { imports, statements }
}

const isSchema = (file: string, name: string) =>
  moduleAt(file).statements.some(
    (statement) => statement.isSchema && statement.names.includes(name),
  )

/** Splits an import of a contract module into imports of its two parts. */
function importsOf(file: string, names: string[]): string {
  const importLine = (part: string, importedNames: string[]) =>
    importedNames.length > 0 ? `import { ${importedNames.join(', ')} } from '${part}';` : ''
  const isOfSchemas = (name: string) => isSchema(file, name.split(' ', 1)[0]!)
  return (
    importLine(
      file,
      names.filter((name) => !isOfSchemas(name)),
    ) + importLine(file + SCHEMAS, names.filter(isOfSchemas))
  )
}

function partOf(file: string, ofSchemas: boolean): string {
  const { imports, statements } = moduleAt(file)
  const ownStatements = statements.filter((statement) => statement.isSchema === ofSchemas)
  const uses = new Set(ownStatements.flatMap((statement) => [...statement.uses]))
  const usedNames = (names: string[]) => names.filter((name) => uses.has(name))
  const otherNames = statements
    .filter((statement) => statement.isSchema !== ofSchemas)
    .flatMap(({ names }) => names)
  const borrowedNames = usedNames(otherNames)
  if (!ofSchemas && borrowedNames.length > 0)
    throw new Error(`${file}: its two parts would import each other, for ${borrowedNames[0]}`)
  return [
    ...imports.map(({ from, names }) =>
      from === 'zod'
        ? usedNames(names)
            .map((name) => `import { ${name} } from 'zod'`)
            .join('')
        : importsOf(join(file, '..', from), usedNames(names)),
    ),
    importsOf(file, borrowedNames),
    ...ownStatements.map(({ code }) => code),
    `export { ${ownStatements.flatMap(({ names }) => names).join(', ')} }`,
  ].join('\n')
}

const CONTRACT = join(import.meta.dirname, '../contract')
const PART = new RegExp(`^${CONTRACT}/([\\w-]+/)?[\\w-]+\\.ts(\\?schemas)?$`)
const valuesIn = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith('type '))
const IMPORT = /^import \{([^}]*)\} from '@tatami\/contract\/([\w/-]+)'$/gm

/** Splits each contract module for the browser: endpoints, constants and rules, which every screen
 *  needs; and schemas, which bring zod and load with the forms. */
export function contractParts(): Plugin {
  return {
    name: 'tatami-contract-parts',
    enforce: 'pre',
    watchChange: () => moduleByFile.clear(),
    resolveId: { filter: { id: PART }, handler: (source) => source },
    load: {
      filter: { id: PART },
      handler: (id) => ({
        code: partOf(id.replace(SCHEMAS, ''), id.endsWith(SCHEMAS)),
        moduleType: 'ts',
        moduleSideEffects: false,
      }),
    },
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: IMPORT },
      handler: (code) =>
        code.replace(IMPORT, (_, names: string, module: string) =>
          importsOf(join(CONTRACT, `${module}.ts`), valuesIn(names)),
        ),
    },
  }
}
