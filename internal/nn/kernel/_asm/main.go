// Command asm writes the assembly of package kernel, one pair of files (code and Go declarations) for each table row below. Run it
// in its own folder:
//
//	go run .
package main

import (
	"fmt"
	"os"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// file is one pair of generated files.
type file struct {
	name  string
	write func(p *program)
}

func files() []file {
	return []file{
		{"lanes_common", common},
		{"lanes_avx2", lanesAVX2},
		{"lanes_avx512", lanesAVX512},
		{"rows_common", rowsCommon},
		{"rows_avx2", rowsAVX2},
		{"rows_avx512", rowsAVX512},
	}
}

func main() {
	for _, f := range files() {
		if err := generate(f); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// generate compiles one program and writes it beside the package's other files.
func generate(f file) error {
	p := &program{Context: build.NewContext()}
	p.ConstraintExpr("amd64,!purego")
	f.write(p)
	result, err := p.Result()
	if err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	if err := pass.Compile.Execute(result); err != nil {
		return fmt.Errorf("%s: %w", f.name, err)
	}
	config := printer.Config{Name: "internal/nn/kernel/_asm", Pkg: "kernel"}
	for _, out := range []struct {
		path    string
		printer printer.Printer
	}{
		{"../" + f.name + "_amd64.s", printer.NewGoAsm(config)},
		{"../" + f.name + "_amd64.go", printer.NewStubs(config)},
	} {
		text, err := out.printer.Print(result)
		if err != nil {
			return fmt.Errorf("%s: %w", out.path, err)
		}
		if err := os.WriteFile(out.path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
