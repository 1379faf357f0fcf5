import { BlockList, isIPv6 } from 'node:net'
import type { Manifest } from './rendered.ts'

/** One end of a connection: a pod, or an address outside the cluster. */
export type Place = {
  readonly address: string
  readonly pod?: { readonly labels: Labels; readonly namespace: string }
}
type Labels = Readonly<Record<string, string>>

const cidr = (text: string): BlockList => {
  const [address = '', bits] = text.split('/')
  const list = new BlockList()
  list.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4')
  return list
}

const holds = (block: string, address: string) => cidr(block).check(address, isIPv6(address) ? 'ipv6' : 'ipv4')

/** Whether a selector matches the labels; an empty selector matches everything. */
const selects = ({ matchLabels = {}, ...rest }: Manifest, labels: Labels): boolean => {
  if (Object.keys(rest).length > 0) throw new Error(`the model knows no ${Object.keys(rest).join(', ')}`)
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value)
}

const isPeer = (
  { ipBlock, podSelector, namespaceSelector }: Manifest,
  home: string,
  { address, pod }: Place,
): boolean => {
  if (ipBlock) return holds(ipBlock.cidr, address) && !(ipBlock.except ?? []).some((one: string) => holds(one, address))
  if (!pod) return false
  const isThere = namespaceSelector
    ? selects(namespaceSelector, { 'kubernetes.io/metadata.name': pod.namespace })
    : pod.namespace === home
  return isThere && (!podSelector || selects(podSelector, pod.labels))
}

type Traffic = { readonly port: number; readonly protocol?: 'TCP' | 'UDP' }

/**
 * Whether the policies of a pod allow a connection, by the rules of Kubernetes: one rule of any policy is enough;
 * without a policy for a direction, everything in that direction is allowed; a missing or empty list of peers or ports
 * matches everything.
 */
export const lets = (
  policies: readonly Manifest[],
  way: 'in' | 'out',
  self: Place,
  other: Place,
  { port, protocol = 'TCP' }: Traffic,
): boolean => {
  const { pod } = self
  if (!pod) return true
  const mine = policies.filter(
    ({ metadata, spec }) => metadata.namespace === pod.namespace && selects(spec.podSelector, pod.labels),
  )
  const ofWay = mine.filter(({ spec }) => spec.policyTypes.includes(way === 'in' ? 'Ingress' : 'Egress'))
  if (ofWay.length === 0) return true
  const rules = ofWay.flatMap(({ spec }) => (way === 'in' ? spec.ingress : spec.egress) ?? [])
  return rules.some((rule: Manifest) => {
    const peers: Manifest[] = (way === 'in' ? rule.from : rule.to) ?? []
    const ports: Manifest[] = rule.ports ?? []
    const isPort = ports.length === 0 || ports.some((one) => one.port === port && (one.protocol ?? 'TCP') === protocol)
    return isPort && (peers.length === 0 || peers.some((peer) => isPeer(peer, pod.namespace, other)))
  })
}
