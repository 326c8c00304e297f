import type { INodeProperties } from 'n8n-workflow';
import { isEqual } from 'lodash';

/** What n8n, from 2.x on, tells only an AI that builds workflows about a field. Older versions ignore it. */
interface FieldHint {
	propertyHint: string;
}

/** The same for a node. */
export interface NodeHint {
	/** Text for the definitions of the operations that `displayOptions` names. */
	extraTypeDefContent?: Array<{ content: string; displayOptions?: { show: Record<string, string[]> } }>;
}

// The types of n8n-workflow 2.7, which this package is built with, do not have these properties yet. Once they do, the
// compiler says here that they are declared twice; then the declarations can go.
declare module 'n8n-workflow' {
	interface INodeProperties {
		builderHint?: FieldHint;
	}
	interface INodeTypeDescription {
		builderHint?: NodeHint;
	}
}

/**
 * Adds to a node's fields what n8n leaves out when it describes them to an AI: that a picker, or a field inside another one, is
 * required; what the choices mean; and that a field is only for older versions of the node. A hint that a field has
 * itself replaces the meaning of its choices; an empty one is for choices whose names say it.
 * @param isInner whether the fields are inside another one
 */
export function withBuilderHints(properties: readonly INodeProperties[], isInner = false): INodeProperties[] {
	return properties.map((property) => {
		const { builderHint, ...rest } = property;
		const { options } = rest;
		const hints = [
			...(isOld(property) ? ['Only in version 1: leave it out'] : []),
			...(isRequired(property) && (isInner || property.type === 'resourceLocator') ? ['Required'] : []),
			...(builderHint ? [builderHint.propertyHint].filter(Boolean) : isInner ? [] : meaningOf(options)),
		];
		return {
			...rest,
			...(options ? { options: options.map(withInnerHints) } : {}),
			...(hints.length > 0 ? { builderHint: { propertyHint: hints.join('. ') } } : {}),
		};
	});
}

type Option = NonNullable<INodeProperties['options']>[number];

function withInnerHints(option: Option): Option {
	if ('values' in option) return { ...option, values: withBuilderHints(option.values, true) };
	return 'type' in option ? (withBuilderHints([option], true)[0] ?? option) : option;
}

const meaningOf = (options: INodeProperties['options'] = []): string[] => {
	const meanings = options.flatMap((option) =>
		'value' in option && option.description ? [`'${option.value}': ${option.description}`] : [],
	);
	return meanings.length > 0 ? [meanings.join('; ')] : [];
};

const EMPTY = ['', [], { mode: 'list', value: '' }];

const isRequired = ({ required, default: value }: INodeProperties) =>
	required === true && EMPTY.some((empty) => isEqual(value, empty));

const isOld = ({ displayOptions }: INodeProperties) =>
	displayOptions?.show?.['@version']?.some(
		(condition) => typeof condition === 'object' && condition !== null && '_cnd' in condition && 'lt' in condition._cnd,
	) === true;
