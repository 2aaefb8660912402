import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { Failure } from '../../src/lib/messages.ts'
import { webhookCommandTexts } from '../../src/messages/command-line/webhooks.ts'
import { describeRule } from '../../src/messages/files/rules/rule.ts'
import { problemOf } from '../../src/messages/files/rules/schema-rule.ts'
import {
  type WebhookDefinition,
  webhookDefinition,
} from '../../src/webhooks/definition/webhook-definition.ts'

/** Returns the webhook with the changes from a YAML file. Throws the problems with them. */
export function changedDefinition(stored: WebhookDefinition, file: string): WebhookDefinition {
  const { data, error } = webhookDefinition.safeParse({ ...stored, ...readChanges(file) })
  if (data) return data
  const problems = error.issues.map(problemOf)
  throw new Error(problems.map((one) => [...one.path, describeRule(one)].join(': ')).join('; '))
}

function readChanges(file: string): object {
  const changes = parseFile(file) ?? {}
  if (typeof changes === 'object' && !Array.isArray(changes)) return changes
  throw new Failure(webhookCommandTexts, 'noChanges', file)
}

function parseFile(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'))
  } catch (error) {
    // The lines after the first show the place.
    const [reason] = (error as Error).message.split(/:?\n/)
    throw new Failure(webhookCommandTexts, 'changesUnreadable', file, `${reason}`)
  }
}
