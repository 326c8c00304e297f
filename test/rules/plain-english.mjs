/**
 * ESLint rules that keep names and comments easy to read (CONTRIBUTING.md, "How we write"):
 *
 * - `verb-first`: a function's name starts with a verb, unless the function is named after what it creates, such as a field or a response;
 * - `noun-bindings`: no variable or parameter is a bare participle or pronoun, such as `asked` or `each`;
 * - `comment-start`: a comment starts with a statement, not with a relative clause such as "What it tells".
 */
const VERBS = new Set(
	`abort accept acquire activate add advance align allow analyse answer append apply are arrange ask assemble assert assign attach attempt authenticate await backdate begin bind
	break bring build buy calculate call cancel capitalize capture catch change chart check choose chunk classify clean clear click clip clone close collect
	combine compare compile complete compose compress compute confirm connect contain continue convert copy correct count cover crawl create cut deactivate
	decide decode decrypt deduplicate deepen defer define delay delete deliver deny derive describe detect determine diff disable dispatch distort
	display divide do document does download draw drop dump edit embed emit empty enable encode encrypt end enroll ensure enter enumerate erase
	escape estimate evaluate exchange exclude execute exists exit expand expect expire explain export expose extend extract fail fake fetch
	fill filter find finish fit fix flatten flush follow force forget fork format forward free freeze generate get give go grant group grow guard
	guess handle hash heal hide hold identify ignore import improve include increase index infer initialize insert inspect install intercept
	interpret introduce invalidate invent invite invoke is issue join judge keep kill label launch lead learn leave limit link list listen load
	locate lock log login logout look lookup loop lose make map mark mask match mean measure mention merge migrate mix mock modify mount move
	multiply name nest narrow navigate need normalize note notify number observe offer omit onboard open order override overwrite pack paint parse pass pause perform
	permit pick ping place plan play poll pop post prepare prepend press prevent print process produce promise protect prove provide provision prune publish pull push
	put query queue quote race raise randomize rank reach react read rebuild recall receive recognize record recover recreate redact redirect reduce
	refresh refuse register reject release reload remember remind remove rename render repair repeat replace replay reply report request require
	resend reserve reset resolve respond restart restore restrict resume retain retry return reuse reveal reverse revoke rewrite rotate round
	route run sample save scan schedule scope scroll seal search seed seek select send separate serialize serve set settle shape share shift shorten
	show shrink shuffle shut sign simplify simulate skip slice slow sort spawn split spread spy stand start state stay step stop store stream
	strip submit subtract suggest suite sum summarize supply support suspend swap sweep switch take tell test throttle throw tick time to
	toggle touch trace track transform translate traverse treat trigger trim truncate try turn type unfold unify unescape uninstall unpack unwrap update
	upload upsert use validate vary verify view visit wait walk warn watch weigh wipe with withdraw within wrap write zip`.split(
		/\s+/,
	),
);

/** The first words of functions that return true or false. Event handlers start with `on`. */
const PREDICATES = new Set([
	'can',
	'could',
	'has',
	'have',
	'is',
	'may',
	'must',
	'needs',
	'should',
	'was',
	'were',
	'on',
]);

/** Matches the names of functions that may be named after what they create, such as `textField` or `recordResponse`. */
const FACTORY_NAME = /(Field|Fields|Block|Picker|Pickers|Response|Routes)$/;

const getFirstWord = (name) => /^[a-z]+/.exec(name.replace(/^_+/, ''))?.[0] ?? '';

/** Returns true if the name of a function follows the rule `verb-first`. */
export function startsWithVerb(name) {
	const word = getFirstWord(name);
	return VERBS.has(word) || PREDICATES.has(word) || FACTORY_NAME.test(name);
}

/** The names that no variable or parameter may have. */
const DENIED_BINDINGS = new Set(
	'of each told asked given found shown sent known wanted chosen seen said looked sought taken heard got one other others'.split(
		' ',
	),
);

/** Matches the first words of comments that begin with a relative clause. */
const RELATIVE_START =
	/^(What|Whatever|Whether|Whose|Whoever|Whom|Who|Which|Those|That which|The same (of|as|for)|Of|Nobody|Nothing of|Not what|Also what|So much)\b/;

const isFunction = (node) =>
	node?.type === 'ArrowFunctionExpression' ||
	node?.type === 'FunctionExpression' ||
	node?.type === 'FunctionDeclaration';

const verbFirst = {
	meta: { type: 'suggestion', schema: [], messages: { verb: "The function '{{name}}' should start with a verb." } },
	create(context) {
		const checkName = (id) => {
			if (id?.type === 'Identifier' && /^_*[a-z]/.test(id.name) && !startsWithVerb(id.name))
				context.report({ node: id, messageId: 'verb', data: { name: id.name } });
		};
		return {
			FunctionDeclaration: (node) => checkName(node.id),
			TSDeclareFunction: (node) => checkName(node.id),
			VariableDeclarator: (node) => isFunction(node.init) && checkName(node.id),
			MethodDefinition: (node) => node.kind === 'method' && !node.override && checkName(node.key),
		};
	},
};

const nounBindings = {
	meta: { type: 'suggestion', schema: [], messages: { noun: "Name '{{name}}' after what it holds." } },
	create(context) {
		const checkScope = (node) => {
			for (const variable of context.sourceCode.getDeclaredVariables(node))
				if (DENIED_BINDINGS.has(variable.name))
					for (const { name } of variable.defs)
						if (!name.parent || name.parent.type !== 'TSEnumMember')
							context.report({ node: name, messageId: 'noun', data: { name: variable.name } });
		};
		return {
			VariableDeclaration: checkScope,
			FunctionDeclaration: checkScope,
			FunctionExpression: checkScope,
			ArrowFunctionExpression: checkScope,
			CatchClause: checkScope,
			ImportDeclaration: checkScope,
		};
	},
};

const commentStart = {
	meta: {
		type: 'suggestion',
		schema: [],
		messages: { statement: "Start the comment with a statement instead of '{{word}}'." },
	},
	create(context) {
		return {
			Program() {
				let previousLine = -1;
				for (const comment of context.sourceCode.getAllComments()) {
					const isContinued = comment.type === 'Line' && comment.loc.start.line === previousLine + 1;
					previousLine = comment.type === 'Line' ? comment.loc.end.line : -1;
					if (isContinued) continue;
					const text = comment.value.replace(/^[\s*]+/, '');
					const [word] = RELATIVE_START.exec(text) ?? [];
					if (word) context.report({ loc: comment.loc, messageId: 'statement', data: { word } });
				}
			},
		};
	},
};

export const plainEnglish = {
	rules: { 'verb-first': verbFirst, 'noun-bindings': nounBindings, 'comment-start': commentStart },
};

/** Code that is shorter but harder to read, for ESLint's `no-restricted-syntax`. */
export const DENIED_SYNTAX = [
	{ selector: 'ObjectExpression > SpreadElement > ObjectExpression', message: 'Write one property per line.' },
	{ selector: 'ArrayExpression > SpreadElement > ArrayExpression', message: 'Write one plain list.' },
	{
		selector: ':matches(ObjectExpression, ArrayExpression) > SpreadElement > ConditionalExpression',
		message: 'Use an if statement, or omitUndefined around the object.',
	},
	{
		selector: ":matches(ObjectExpression, ArrayExpression) > SpreadElement > LogicalExpression[operator='&&']",
		message: 'Use an if statement, or omitUndefined around the object.',
	},
	{
		selector: "VariableDeclarator[id.type='ArrayPattern'][init.type='ArrayExpression']",
		message: 'Write one declaration per variable.',
	},
	{
		selector: "VariableDeclarator[id.type='ObjectPattern'][init.type='ObjectExpression']",
		message: 'Write one declaration per variable.',
	},
	{
		selector: "AssignmentExpression[left.type='ArrayPattern'][right.type='ArrayExpression']",
		message: 'Write one assignment per statement.',
	},
	{
		selector: 'ArrowFunctionExpression[async=true] > AwaitExpression.body',
		message: 'Return the promise itself: `() => f()`.',
	},
	{ selector: "CallExpression[callee.name='rethrow']", message: 'Throw the error.' },
];
