//! Definitions of which each build has one.

use super::check_only;

#[test]
fn of_several_builds_one_definition_is_shown() {
    check_only(
        &["module", "member"],
        "\
//- go.mod
module example.org/run
//- exec_darwin.go
package run

func Exec() {}

func (f *File) Stat() {}
//- exec_linux.go
package run

func Exec() {}

func (f *File) Stat() {}
//- exec_windows.go
package run

func Exec() {}

func (f *File) Stat() {}

func Only() {}
//- file.go
package run

type File struct{}
//- testdata/other/go.mod
module example.org/other
//- testdata/other/other.go
package other

func Other() {}
",
        "
module go example.org/run is exec_darwin.go
member [exec_darwin.go].Exec is exec_linux.go#Exec
member [exec_darwin.go].File is file.go#File
member [exec_darwin.go].Only is exec_windows.go#Only
member file.go#File.Stat is exec_linux.go#File.Stat
",
    );
}
