/**
 * Checks that every name has one meaning: no exported name occurs twice in the shipped code, and no two files in core and domain have the
 * same name.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { groupBy } from 'lodash';
import ts from 'typescript';
import { PACKAGE_ROOT } from '../n8n-core/package';

/** Lists the TypeScript files in a folder of the package and in its subfolders, as paths relative to the package. */
const listSourceFiles = (folder: string): string[] =>
	readdirSync(join(PACKAGE_ROOT, folder), { recursive: true, encoding: 'utf8' })
		.filter((path) => path.endsWith('.ts'))
		.map((path) => join(folder, path).replaceAll('\\', '/'));

/** Lists the names that a statement declares. A variable statement may declare several names, for example by destructuring an object. */
function listDeclaredNames(statement: ts.Statement): string[] {
	if (ts.isVariableStatement(statement)) {
		const listBindingNames = (name: ts.BindingName): string[] =>
			ts.isIdentifier(name)
				? [name.text]
				: name.elements.flatMap((element) => (ts.isBindingElement(element) ? listBindingNames(element.name) : []));
		return statement.declarationList.declarations.flatMap(({ name }) => listBindingNames(name));
	}
	const isNamedDeclaration =
		ts.isFunctionDeclaration(statement) ||
		ts.isClassDeclaration(statement) ||
		ts.isInterfaceDeclaration(statement) ||
		ts.isTypeAliasDeclaration(statement) ||
		ts.isEnumDeclaration(statement);
	return isNamedDeclaration && statement.name ? [statement.name.text] : [];
}

/** Lists the names that a file declares and exports. A name occurs once, even if several overloads declare it. */
function listExportedNames(path: string): string[] {
	const text = readFileSync(join(PACKAGE_ROOT, path), 'utf8');
	const { statements } = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
	const isExported = (statement: ts.Statement) =>
		ts.canHaveModifiers(statement) &&
		(ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
	return [...new Set(statements.filter(isExported).flatMap(listDeclaredNames))];
}

/** Describes each name that occurs more than once, such as "toCompany: nodes/a.ts, nodes/b.ts". */
function describeDuplicates(entries: ReadonlyArray<{ name: string; path: string }>): string[] {
	return Object.entries(groupBy(entries, 'name'))
		.filter(([, entriesOfName]) => entriesOfName.length > 1)
		.map(([name, entriesOfName]) => `${name}: ${entriesOfName.map(({ path }) => path).join(', ')}`);
}

test('no exported name occurs twice', () => {
	const entries = [...listSourceFiles('nodes'), ...listSourceFiles('credentials')].flatMap((path) =>
		listExportedNames(path).map((name) => ({ name, path })),
	);
	expect(describeDuplicates(entries)).toEqual([]);
	expect(entries.length).toBeGreaterThan(300);
});

test('no two files in core and domain have the same name', () => {
	const paths = [...listSourceFiles('nodes/core'), ...listSourceFiles('nodes/domain')];
	expect(describeDuplicates(paths.map((path) => ({ name: basename(path), path })))).toEqual([]);
	expect(paths.length).toBeGreaterThan(50);
});
