/** A Vite plugin that splits each contract module in two. One part has the schemas, which need zod.
 *  Screens without forms load only the other part. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type Plugin, type ESTree } from 'vite'

/** Fields of an endpoint that the browser does not need. */
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
const SCHEMAS_SUFFIX = '?schemas'

type Import = { from: string; names: string[] }
type Statement = {
  code: string
  names: string[]
  uses: Set<string>
  isExported: boolean
  isSchema: boolean
}
type Module = { imports: Import[]; statements: Statement[] }

function removeServerFields(source: string): string {
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
  let code = source
  // Removes the last field first, so that the positions of the others stay valid.
  for (const { start, end } of fields.toReversed())
    code = code.slice(0, start) + code.slice(end).replace(/^\s*,/, '')
  return code
}

/** Returns the names of the variables that the code uses, without the names of properties. Two
 *  variables with the same name in different scopes count as one. */
function identifiersIn(code: string): Set<string> {
  const identifiers = new Set<string>()
  const properties = new Set<number>()
  new Visitor({
    MemberExpression({ computed, property }) {
      if (!computed) properties.add(property.start)
    },
    Property({ computed, shorthand, key }) {
      if (!computed && !shorthand) properties.add(key.start)
    },
    TSPropertySignature({ computed, key }) {
      if (!computed) properties.add(key.start)
    },
    Identifier({ name, start }) {
      if (!properties.has(start)) identifiers.add(name)
    },
  }).visit(parseSync('statement.ts', code).program)
  return identifiers
}

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
function getModule(file: string): Module {
  const cachedModule = moduleByFile.get(file)
  if (cachedModule) return cachedModule
  const module = parseModule(file)
  moduleByFile.set(file, module)
  return module
}

function parseModule(file: string): Module {
  const module = parseStatements(file)
  const schemas = markSchemas(file, module)
  refuseSchemaNames(file, module.statements, schemas)
  markSchemaHelpers(module.statements)
  return module
}

function parseStatements(file: string): Module {
  const source = removeServerFields(readFileSync(file, 'utf8'))
  const imports: Import[] = []
  const statements: Statement[] = []
  for (const node of parseSync(file, source).program.body) {
    const isExported = node.type === 'ExportNamedDeclaration'
    const declaration = isExported ? node.declaration : node
    if (
      declaration?.type === 'VariableDeclaration' ||
      declaration?.type === 'FunctionDeclaration' ||
      declaration?.type === 'ClassDeclaration'
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
      throw new Error(`${file}: a contract module may only declare things; it has a ${node.type}`)
  }
  return { imports, statements }
}

function markSchemas(file: string, { imports, statements }: Module): Set<string> {
  const schemas = new Set(
    imports.flatMap(({ from, names }) =>
      names.filter((name) => from === 'zod' || isSchema(join(file, '..', from), name)),
    ),
  )
  // This repeats, because a statement may use a schema that is declared below it.
  let schemaCount: number
  do {
    schemaCount = schemas.size
    for (const statement of statements) {
      statement.isSchema = [...statement.uses].some((name) => schemas.has(name))
      if (statement.isSchema) statement.names.forEach((name) => schemas.add(name))
    }
  } while (schemas.size > schemaCount)
  return schemas
}

function refuseSchemaNames(file: string, statements: Statement[], schemas: Set<string>) {
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
}

/** A helper that only schemas use counts as a schema, so that it is in the same part. */
function markSchemaHelpers(statements: Statement[]) {
  for (const statement of statements.toReversed()) {
    const users = statements.filter(
      (user) => user !== statement && statement.names.some((name) => user.uses.has(name)),
    )
    statement.isSchema ||= !statement.isExported && users.every((user) => user.isSchema)
  }
}

const isSchema = (file: string, name: string) =>
  getModule(file).statements.some(
    (statement) => statement.isSchema && statement.names.includes(name),
  )

/** Splits an import of a contract module into imports of its two parts. */
function importStatements(file: string, names: string[]): string {
  const formatImport = (id: string, importedNames: string[]) =>
    importedNames.length > 0 ? `import { ${importedNames.join(', ')} } from '${id}';` : ''
  // A name may be followed by ` as` and another name.
  const isSchemaImport = (name: string) => isSchema(file, name.replace(/ .*/, ''))
  const schemaNames = names.filter(isSchemaImport)
  const otherNames = names.filter((name) => !isSchemaImport(name))
  return formatImport(file, otherNames) + formatImport(file + SCHEMAS_SUFFIX, schemaNames)
}

/** Returns the code of one part of a contract module. */
function partSource(file: string, part: 'schemas' | 'rest'): string {
  const { imports, statements } = getModule(file)
  const isSchemaPart = part === 'schemas'
  const partStatements = statements.filter((statement) => statement.isSchema === isSchemaPart)
  const uses = new Set(partStatements.flatMap((statement) => [...statement.uses]))
  const usedNames = (names: string[]) => names.filter((name) => uses.has(name))
  const otherPartNames = statements
    .filter((statement) => statement.isSchema !== isSchemaPart)
    .flatMap(({ names }) => names)
  const namesFromOtherPart = usedNames(otherPartNames)
  if (!isSchemaPart && namesFromOtherPart.length > 0)
    throw new Error(
      `${file}: its two parts would import each other because of ${namesFromOtherPart[0]}`,
    )
  return [
    ...imports.map(({ from, names }) =>
      from === 'zod'
        ? usedNames(names)
            .map((name) => `import { ${name} } from 'zod'`)
            .join('')
        : importStatements(join(file, '..', from), usedNames(names)),
    ),
    importStatements(file, namesFromOtherPart),
    ...partStatements.map(({ code }) => code),
    `export { ${partStatements.flatMap(({ names }) => names).join(', ')} }`,
  ].join('\n')
}

const CONTRACT = join(import.meta.dirname, '../contract')
const CONTRACT_MODULE = new RegExp(`^${CONTRACT}/([\\w-]+/)?[\\w-]+\\.ts(\\?schemas)?$`)
const withoutTypes = (names: string) =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name && !name.startsWith('type '))
/** Matches one import from the contract, with its names and its module. */
const CONTRACT_IMPORT = /^import \{([^}]*)\} from '@tatami\/contract\/([\w/-]+)'$/gm

export function contractParts(): Plugin {
  return {
    name: 'tatami-contract-parts',
    enforce: 'pre',
    watchChange: () => moduleByFile.clear(),
    resolveId: { filter: { id: CONTRACT_MODULE }, handler: (source) => source },
    load: {
      filter: { id: CONTRACT_MODULE },
      handler: (id) => ({
        code: partSource(
          id.replace(SCHEMAS_SUFFIX, ''),
          id.endsWith(SCHEMAS_SUFFIX) ? 'schemas' : 'rest',
        ),
        moduleType: 'ts',
        moduleSideEffects: false,
      }),
    },
    transform: {
      filter: { id: /\/web\/.*\.tsx?$/, code: CONTRACT_IMPORT },
      handler: (code) =>
        code.replace(CONTRACT_IMPORT, (_, names: string, module: string) =>
          importStatements(join(CONTRACT, `${module}.ts`), withoutTypes(names)),
        ),
    },
  }
}
