// Program cel evaluates CEL expressions as OCM's work agent does: with cel-go, optional types, the strings extension and
// the libraries of Kubernetes. It reads a JSON object {expression, object} from each line of its standard input and
// writes a line {value, error, cost} for each: the value or the error, and the cost of the evaluation.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apiserver/pkg/cel/library"
)

// Maximum length of an input line in bytes. Messages of an Application may have megabytes.
const maxLine = 256 << 20

type request struct {
	Expression string          `json:"expression"`
	Object     json.RawMessage `json:"object"`
}

type response struct {
	Value any    `json:"value,omitempty"`
	Error string `json:"error,omitempty"`
	// In the API server's cost units: a million is about a tenth of a second.
	Cost uint64 `json:"cost,omitempty"`
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(input io.Reader, output io.Writer) error {
	env, err := agentEnvironment()
	if err != nil {
		return err
	}
	programs := map[string]cel.Program{}
	lines := bufio.NewScanner(input)
	lines.Buffer(nil, maxLine)
	out := bufio.NewWriter(output)
	encoder := json.NewEncoder(out)
	for lines.Scan() {
		if err := encoder.Encode(evaluate(env, programs, lines.Bytes())); err != nil {
			return err
		}
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return lines.Err()
}

// The agent also defines a function hasConditions, which the tested expressions do not use.
func agentEnvironment() (*cel.Env, error) {
	return cel.NewEnv(
		cel.Variable("object", cel.DynType),
		cel.Variable("result", cel.BoolType),
		cel.OptionalTypes(),
		ext.Strings(),
		library.Lists(),
		library.Regex(),
		library.URLs(),
		library.Quantity(),
		library.IP(),
		library.CIDR(),
		library.Format(),
		library.SemverLib(),
	)
}

func evaluate(env *cel.Env, programs map[string]cel.Program, line []byte) response {
	var input request
	if err := json.Unmarshal(line, &input); err != nil {
		return response{Error: err.Error()}
	}
	// Decodes whole numbers as integers, as the agent's Kubernetes client does.
	var object map[string]any
	if err := utiljson.Unmarshal(input.Object, &object); err != nil {
		return response{Error: err.Error()}
	}
	program, known := programs[input.Expression]
	if !known {
		var err error
		if program, err = compile(env, input.Expression); err != nil {
			return response{Error: err.Error()}
		}
		programs[input.Expression] = program
	}
	value, details, err := program.Eval(map[string]any{
		"object": object,
		"result": false,
	})
	if err != nil {
		return response{Error: err.Error()}
	}
	result := response{Value: value.Value()}
	if cost := details.ActualCost(); cost != nil {
		result.Cost = *cost
	}
	return result
}

func compile(env *cel.Env, expression string) (cel.Program, error) {
	ast, issues := env.Compile(expression)
	if err := issues.Err(); err != nil {
		return nil, err
	}
	return env.Program(ast, cel.CostTracking(&library.CostEstimator{}))
}
