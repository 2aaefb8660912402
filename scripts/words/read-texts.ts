import ts from 'typescript'

/** A text of a message file. */
export interface Text {
  /** Name of the text in its file: `siteTexts.callNow`. */
  key: string
  /** Parameters appear by name, alternatives side by side: `{count} places`, `[one answer|{count} answers]`. */
  text: string
}

/** Lists the texts of a message file in order, including those in functions. */
export function readTexts(source: string): Text[] {
  const file = ts.createSourceFile('messages.ts', source, ts.ScriptTarget.Latest, true)
  const constants = constantsOf(file)
  const texts: Text[] = []
  const visit = (node: ts.Node): void => {
    if (isNoText(node)) return
    if (!isText(node)) return void ts.forEachChild(node, visit)
    const text = show(node, constants)
    if (/\p{L}{2}/u.test(text.replace(/\{\w*\}/g, ''))) texts.push({ key: keyOf(node), text })
  }
  ts.forEachChild(file, visit)
  return texts
}

type Constants = ReadonlyMap<string, ts.Expression>

function constantsOf(file: ts.SourceFile): Constants {
  const declared = file.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
  return new Map(
    declared.flatMap(({ name, initializer }) =>
      initializer ? [[name.getText(), initializer] as const] : [],
    ),
  )
}

// Imports, types, codes, comparisons, options of `Intl`, and separators.
function isNoText(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node)) return true
  if (ts.isPropertyAssignment(node)) return node.name.getText() === 'code'
  if (ts.isBinaryExpression(node)) return /[=!]==/.test(node.operatorToken.getText())
  if (ts.isPropertyAssignment(parent)) return parent.name === node
  if (ts.isCaseClause(parent)) return parent.expression === node
  const called = ts.isCallExpression(parent) || ts.isNewExpression(parent) ? parent.expression : undefined
  return called !== node && /^Intl\.|\.join$/.test(called?.getText() ?? '')
}

function isText(node: ts.Node): node is ts.Expression {
  if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || isCount(node)) return true
  if (ts.isConditionalExpression(node)) return isText(node.whenTrue) || isText(node.whenFalse)
  return ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right))
}

function isCount(node: ts.Node): node is ts.CallExpression {
  return ts.isCallExpression(node) && node.expression.getText() === 'countOf'
}

function show(node: ts.Node, constants: Constants): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) => show(expression, constants) + literal.text,
    )
    return node.head.text + spans.join('')
  }
  if (ts.isConditionalExpression(node))
    return `[${show(node.whenTrue, constants)}|${show(node.whenFalse, constants)}]`
  if (ts.isBinaryExpression(node)) {
    const [left, right] = [show(node.left, constants), show(node.right, constants)]
    return node.operatorToken.kind === ts.SyntaxKind.PlusToken ? left + right : `[${left}|${right}]`
  }
  if (isCount(node)) return `${showParameter(node.arguments[0])} ${pluralOf(node.arguments[1], constants)}`
  const constant = ts.isIdentifier(node) ? constants.get(node.text) : undefined
  return constant && isText(constant) ? show(constant, constants) : showParameter(node)
}

// `{names}` of `names.slice(0, 3).join(', ')`, `{seconds}` of `duration(seconds)`.
function showParameter(node: ts.Node | undefined): string {
  if (!node) return '{}'
  if (ts.isCallExpression(node)) {
    const {
      expression,
      arguments: [first],
    } = node
    const isMethod =
      ts.isPropertyAccessExpression(expression) && !ts.isPropertyAccessExpression(expression.expression)
    return showParameter(
      isMethod && !/^[A-Z]|^list$/.test(expression.expression.getText())
        ? expression.expression
        : (first ?? expression),
    )
  }
  if (ts.isPropertyAccessExpression(node)) return `{${node.name.text}}`
  return `{${node.getText().split(/\W/)[0]}}`
}

function pluralOf(noun: ts.Node | undefined, constants: Constants): string {
  const object = noun && ts.isIdentifier(noun) ? constants.get(noun.text) : noun
  if (!object || !ts.isObjectLiteralExpression(object)) return ''
  const other = object.properties.find(
    (one) => ts.isPropertyAssignment(one) && one.name.getText() === 'other',
  )
  return other && ts.isPropertyAssignment(other) ? show(other.initializer, constants) : ''
}

function keyOf(node: ts.Node): string {
  const names: string[] = []
  for (let at = node; at.parent; at = at.parent)
    if (ts.isPropertyAssignment(at) || ts.isVariableDeclaration(at) || ts.isFunctionDeclaration(at))
      names.unshift(`${at.name?.getText()}`.replace(/^'|'$/g, ''))
  return names.join('.')
}
