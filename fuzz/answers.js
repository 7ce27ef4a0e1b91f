// What a JavaScript engine says of patterns. Comes in: one JSON line {"source", "texts"}, text as arrays of code units.
// Goes out: one JSON line: null for a source that neither flag u nor no flag takes, or {"flags", "found": [bool, …]}.
// A search is stopped after a while: null in its place.
"use strict";
const vm = require("vm");
const readline = require("readline");

const script = new vm.Script("pattern.test(text)");
const context = vm.createContext({ pattern: null, text: "" });

function compile(source, flags) {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    return null;
  }
}

function search(pattern, text) {
  context.pattern = pattern;
  context.text = text;
  try {
    return script.runInContext(context, { timeout: 100 });
  } catch (error) {
    return null;
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const { source, texts } = JSON.parse(line);
  const spelt = source.map((unit) => String.fromCharCode(unit)).join("");
  const answers = {};
  for (const flags of ["u", ""]) {
    const pattern = compile(spelt, flags);
    answers[flags] = pattern && texts.map((units) => search(pattern, String.fromCharCode(...units)));
  }
  console.log(JSON.stringify(answers));
});
