import com.sun.source.tree.*;
import com.sun.source.util.*;
import java.io.*;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
import javax.lang.model.element.*;
import javax.lang.model.type.*;
import javax.lang.model.util.*;
import javax.tools.*;

/**
 * Prints what javac knows of a tree: one record a line, as ../record.rs reads them.
 *
 * <p>{@code java Judge.java --root DIR [--jars DIR] [--sources DIR]}, where jars and further sources are what the tree needs. Each folder with a pom.xml or a build.gradle is compiled by itself, and finds the other
 * sources by their packages. What is missing, a library or a generated class, leaves errors and names without a meaning.
 */
public class Judge {
  /** A file is complete where at most one call site in so many is unresolved. */
  static final int COMPLETE_SHARE = 10;

  static final Pattern PACKAGE = Pattern.compile("(?m)^\\s*package\\s+([\\w.]+)\\s*;");
  static final List<String> BUILDS = List.of("pom.xml", "build.gradle", "build.gradle.kts");
  static final String TYPE_WORDS = "(?:class|interface|enum|record)\\s+";

  /** A source with the package that it says it is in. */
  static final class Source extends SimpleJavaFileObject {
    final String path, packageName, unit, text;
    boolean isOutside;

    Source(Path file, String path, String unit, String text) {
      super(file.toUri(), Kind.SOURCE);
      Matcher said = PACKAGE.matcher(text.replaceAll("(?s)/\\*.*?\\*/", ""));
      this.path = path;
      this.unit = unit;
      this.text = text;
      packageName = said.find() ? said.group(1) : "";
    }

    Source outside() {
      isOutside = true;
      return this;
    }

    String name() { return (packageName.isEmpty() ? "" : packageName + ".") + stem(); }
    String stem() { return path.substring(path.lastIndexOf('/') + 1, path.length() - ".java".length()); }
    String folder() { return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "."; }
    @Override public CharSequence getCharContent(boolean ignoring) { return text; }
    @Override public boolean isNameCompatible(String name, Kind kind) { return kind == Kind.SOURCE && name.equals(stem()); }
  }

  public static void main(String[] words) throws IOException {
    Path root = Path.of("."), jars = null, others = null;
    for (int i = 0; i + 1 < words.length; i += 2) {
      switch (words[i]) {
        case "--root" -> root = Path.of(words[i + 1]);
        case "--jars" -> jars = Path.of(words[i + 1]);
        case "--sources" -> others = Path.of(words[i + 1]);
        default -> throw new IllegalArgumentException(words[i]);
      }
    }
    List<Source> sources = sources(root.toRealPath());
    Map<String, List<Source>> units = new TreeMap<>(sources.stream().collect(Collectors.groupingBy(source -> source.unit)));
    if (others != null) {
      for (Source source : sources(others.toRealPath())) {
        if (!isTest(source.path)) sources.add(source.outside());
      }
    }
    PrintStream out = new PrintStream(new BufferedOutputStream(System.out), false, StandardCharsets.UTF_8);
    for (List<Source> unit : units.values()) new Unit(sources, unit, jars, out).write();
    out.flush();
  }

  static List<Source> sources(Path root) throws IOException {
    List<Source> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String path = root.relativize(file).toString().replace('\\', '/');
        boolean isSource = path.endsWith(".java") && !path.endsWith("module-info.java");
        if (!isSource || path.contains("/target/") || path.startsWith(".")) continue;
        found.add(new Source(file, path, unitOf(root, file), new String(Files.readAllBytes(file), StandardCharsets.UTF_8)));
      }
    }
    return found;
  }

  static String unitOf(Path root, Path file) {
    for (Path at = file.getParent(); at != null && at.startsWith(root); at = at.getParent()) {
      if (BUILDS.stream().map(at::resolve).anyMatch(Files::exists)) return root.relativize(at).toString();
    }
    return "";
  }

  /** Annotations of tests, and of methods that are called around them: of JUnit and TestNG. */
  static final Pattern TEST = Pattern.compile("Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Theory");
  static final Pattern AROUND = Pattern.compile("(Before|After)(|Each|Class|All|Method|Test|Suite|Groups)");

  static boolean isTest(String path) {
    return Pattern.compile("(^|/)(test|tests|androidTest|integrationTest|testFixtures|it)/").matcher(path).find()
        || Pattern.compile("(Test|Tests|TestCase|IT|ITCase)\\.java$|(^|/)Test[A-Z][^/]*$").matcher(path).find();
  }

  /** Gives javac the sources of other units by package, those of its own before those of others. */
  static final class SourceManager extends ForwardingJavaFileManager<StandardJavaFileManager> {
    final Map<String, Map<String, Source>> byPackage = new HashMap<>();

    SourceManager(StandardJavaFileManager inner, List<Source> all, List<Source> own) {
      super(inner);
      for (List<Source> list : List.of(own, all)) {
        for (Source source : list) {
          byPackage.computeIfAbsent(source.packageName, name -> new TreeMap<>()).putIfAbsent(source.stem(), source);
        }
      }
    }

    @Override public boolean hasLocation(Location location) {
      return location == StandardLocation.SOURCE_PATH || super.hasLocation(location);
    }

    @Override public Iterable<JavaFileObject> list(Location at, String name, Set<JavaFileObject.Kind> kinds, boolean deep)
        throws IOException {
      if (at != StandardLocation.SOURCE_PATH) return super.list(at, name, kinds, deep);
      return new ArrayList<>(byPackage.getOrDefault(name, Map.of()).values());
    }

    @Override public String inferBinaryName(Location location, JavaFileObject file) {
      return file instanceof Source source ? source.name() : super.inferBinaryName(location, file);
    }

    @Override public boolean isSameFile(FileObject a, FileObject b) { return a.toUri().equals(b.toUri()); }
    @Override public boolean contains(Location location, FileObject file) throws IOException {
      return file instanceof Source ? location == StandardLocation.SOURCE_PATH : super.contains(location, file);
    }
  }

  /** What is compiled together. */
  static final class Unit {
    final List<Source> own;
    final PrintStream out;
    final JavacTask task;
    final Trees trees;
    final SourcePositions positions;
    final Elements elements;
    final Types types;
    final Map<String, List<Source>> packages;
    final Map<URI, Source> byUri = new HashMap<>();

    Unit(List<Source> all, List<Source> own, Path jars, PrintStream out) throws IOException {
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      StandardJavaFileManager inner = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
      if (jars != null) {
        try (Stream<Path> found = Files.walk(jars)) {
          inner.setLocationFromPaths(StandardLocation.CLASS_PATH, found.filter(path -> path.toString().endsWith(".jar")).sorted().toList());
        }
      }
      List<String> options = List.of("-proc:none", "-implicit:none", "-Xmaxerrs", "1", "-XDshould-stop.ifError=FLOW", "-nowarn");
      task = (JavacTask) compiler.getTask(Writer.nullWriter(), new SourceManager(inner, all, own), diagnostic -> {}, options, null, own);
      this.own = own;
      this.out = out;
      trees = Trees.instance(task);
      positions = trees.getSourcePositions();
      elements = task.getElements();
      types = task.getTypes();
      all.forEach(source -> byUri.put(source.toUri(), source));
      packages = all.stream().filter(source -> !source.isOutside).collect(Collectors.groupingBy(source -> source.packageName));
    }

    void write() throws IOException {
      List<CompilationUnitTree> parsed = new ArrayList<>();
      task.parse().forEach(parsed::add);
      try {
        task.analyze();
      } catch (RuntimeException | Error error) {
        System.err.println("javac gave up: " + error);
      }
      Set<Source> mine = new HashSet<>(own);
      for (CompilationUnitTree tree : parsed) {
        if (mine.contains(source(tree))) new FileWriter(this, tree).write();
      }
    }

    /** The source that a tree is of: javac wraps it. */
    Source source(CompilationUnitTree tree) { return byUri.get(tree.getSourceFile().toUri()); }

    /** Where an element is defined: path, line of its name, name; nothing where no source does. */
    Place place(Element element) {
      Element of = element;
      TreePath path = of == null ? null : trees.getPath(of);
      boolean isMade = of instanceof ExecutableElement && elements.getOrigin(of) != Elements.Origin.EXPLICIT;
      if (path == null || isMade) {
        // What is made without being written is its class, or the component that it shows.
        if (!(of instanceof ExecutableElement) || !(of.getEnclosingElement() instanceof TypeElement type)) return null;
        if (of.getKind() == ElementKind.CONSTRUCTOR) return place(type);
        if (type.getKind() != ElementKind.RECORD) return null;
        for (RecordComponentElement component : type.getRecordComponents()) {
          if (component.getSimpleName().equals(of.getSimpleName())) {
            Place holder = place(type);
            return holder == null ? null : new Place(holder.source, holder.line, of.getSimpleName().toString());
          }
        }
        return null;
      }
      Source source = source(path.getCompilationUnit());
      if (source == null || source.isOutside) return null;
      boolean isConstructor = of.getKind() == ElementKind.CONSTRUCTOR;
      String name = (isConstructor ? of.getEnclosingElement() : of).getSimpleName().toString();
      return new Place(source, lineOfName(path, name), name);
    }

    int lineOfName(TreePath path, String name) {
      CompilationUnitTree unit = path.getCompilationUnit();
      Tree leaf = path.getLeaf();
      long from = positions.getStartPosition(unit, leaf);
      Tree before = leaf instanceof MethodTree method ? method.getReturnType() == null ? method.getModifiers() : method.getReturnType()
          : leaf instanceof VariableTree variable ? variable.getType() == null ? variable.getModifiers() : variable.getType()
          : leaf instanceof ClassTree type ? type.getModifiers() : null;
      long end = before == null ? -1 : positions.getEndPosition(unit, before);
      from = Math.max(Math.max(from, end), 0);
      String text = source(unit).text;
      String prefix = leaf instanceof ClassTree ? TYPE_WORDS : "";
      Matcher found = Pattern.compile(prefix + "\\b" + Pattern.quote(name) + "(?![\\w$])").matcher(text);
      long at = name.isEmpty() || !found.find((int) Math.min(from, text.length())) ? from : found.end() - name.length();
      return (int) unit.getLineMap().getLineNumber(at);
    }
  }

  record Place(Source source, int line, String name) {}

  /** Writes the records of one file. */
  static final class FileWriter extends TreePathScanner<Void, Void> {
    final Unit unit;
    final CompilationUnitTree tree;
    final Source source;
    final boolean isTest;
    int callSites, unresolved;
    final Set<String> written = new HashSet<>();
    final List<List<Object>> tests = new ArrayList<>(), around = new ArrayList<>();

    FileWriter(Unit unit, CompilationUnitTree tree) {
      this.unit = unit;
      this.tree = tree;
      source = unit.source(tree);
      isTest = isTest(source.path);
    }

    void write() {
      tree.getImports().forEach(this::writeImport);
      for (Tree type : tree.getTypeDecls()) scan(new TreePath(new TreePath(tree), type), null);
      boolean isComplete = unresolved * COMPLETE_SHARE <= callSites;
      put("file", "path", source.path, "lang", "java", "test", isTest, "call_sites", callSites, "unresolved", unresolved, "complete", isComplete,
          "tests", tests, "around", around);
    }

    void writeImport(ImportTree imported) {
      TreePath path = TreePath.getPath(tree, imported.getQualifiedIdentifier());
      MemberSelectTree name = (MemberSelectTree) imported.getQualifiedIdentifier();
      boolean isAll = name.getIdentifier().contentEquals("*");
      Element element = unit.trees.getElement(isAll || imported.isStatic() ? new TreePath(path, name.getExpression()) : path);
      int line = line(unit.positions.getStartPosition(tree, imported));
      if (element instanceof PackageElement) {
        List<String> folders = unit.packages.getOrDefault(name.getExpression().toString(), List.of()).stream().map(Source::folder).distinct().toList();
        if (!folders.isEmpty()) {
          put("import", "how", "package", "from_path", source.path, "line", line, "to_path", folders.get(0), "test", isTest, "alts",
              folders.subList(1, folders.size()));
        }
        return;
      }
      Place to = unit.place(element);
      if (to != null && to.source != source) {
        put("import", "how", "specifier", "from_path", source.path, "line", line, "to_path", to.source.path, "test", isTest);
      }
    }

    @Override public Void visitClass(ClassTree node, Void nothing) {
      Element element = unit.trees.getElement(getCurrentPath());
      if (element instanceof TypeElement type) {
        writeSupers(type);
        noteRun(type);
      }
      return super.visitClass(node, nothing);
    }

    /** Notes what runners of tests call of a class: the tests, and what is called around them. */
    void noteRun(TypeElement type) {
      for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
        Place place = unit.place(method);
        if (place == null) continue;
        Set<String> marks = new HashSet<>();
        for (AnnotationMirror mark : method.getAnnotationMirrors()) marks.add(mark.getAnnotationType().asElement().getSimpleName().toString());
        boolean isAround = marks.removeIf(mark -> AROUND.matcher(mark).matches()) || place.name.matches("setUp|tearDown");
        if (isAround) around.add(List.of(place.line, place.name));
        else if (place.name.startsWith("test") || isMarked(type) || marks.stream().anyMatch(mark -> TEST.matcher(mark).matches())) {
          tests.add(List.of(place.line, place.name));
        }
      }
    }

    /** Whether all methods of a class are tests. */
    boolean isMarked(TypeElement type) {
      return type.getAnnotationMirrors().stream().anyMatch(mark -> mark.getAnnotationType().asElement().getSimpleName().contentEquals("Test"));
    }

    void writeSupers(TypeElement type) {
      for (TypeMirror above : unit.types.directSupertypes(type.asType())) {
        boolean isNamed = !type.getSimpleName().isEmpty();
        if (isNamed && above instanceof DeclaredType declared) implement(type, declared.asElement());
      }
      for (ExecutableElement method : ElementFilter.methodsIn(type.getEnclosedElements())) {
        if (unit.elements.getOrigin(method) == Elements.Origin.EXPLICIT) writeOverridden(method, type, type, new HashSet<>());
      }
    }

    /** Writes the nearest methods above that a method overrides. */
    void writeOverridden(ExecutableElement method, TypeElement type, TypeElement at, Set<Element> seen) {
      for (TypeMirror above : unit.types.directSupertypes(at.asType())) {
        if (!(above instanceof DeclaredType declared) || !seen.add(declared.asElement())) continue;
        TypeElement holder = (TypeElement) declared.asElement();
        boolean isFound = false;
        for (ExecutableElement other : ElementFilter.methodsIn(holder.getEnclosedElements())) {
          if (unit.elements.overrides(method, other, type)) {
            implement(method, other);
            isFound = true;
          }
        }
        if (!isFound) writeOverridden(method, type, holder, seen);
      }
    }

    void implement(Element from, Element to) {
      Place one = unit.place(from), other = unit.place(to);
      if (one == null || other == null) return;
      put("implements", "from_path", one.source.path, "line", one.line, "name", one.name, "to_path", other.source.path, "to_line", other.line,
          "to_name", other.name);
    }

    @Override public Void visitMethodInvocation(MethodInvocationTree node, Void nothing) {
      Tree callee = node.getMethodSelect();
      Element element = unit.trees.getElement(getCurrentPath());
      if (callee instanceof IdentifierTree name) {
        // The call of the constructor above that nobody has written is none.
        long at = unit.positions.getStartPosition(tree, callee);
        if (!source.text.startsWith(name.getName().toString(), (int) Math.max(at, 0))) return null;
        use(name.getName().toString(), line(unit.positions.getStartPosition(tree, callee)), element, true);
      } else if (callee instanceof MemberSelectTree select) {
        use(select.getIdentifier().toString(), lineOfSelected(select), element, true);
        scan(select.getExpression(), nothing);
      }
      scan(node.getTypeArguments(), nothing);
      scan(node.getArguments(), nothing);
      return null;
    }

    @Override public Void visitNewClass(NewClassTree node, Void nothing) {
      Element element = unit.trees.getElement(getCurrentPath());
      boolean isConstant = getCurrentPath().getParentPath().getLeaf() instanceof VariableTree variable
          && variable.getInitializer() == node && !source.text.startsWith("new", (int) Math.max(unit.positions.getStartPosition(tree, node), 0));
      if (isConstant && node.getArguments().isEmpty()) {
        // A constant of an enum that says nothing of how it is made.
        if (node.getClassBody() != null) scan(node.getClassBody(), nothing);
        return null;
      }
      Tree named = node.getIdentifier();
      while (named instanceof ParameterizedTypeTree generic) named = generic.getType();
      while (named instanceof AnnotatedTypeTree annotated) named = annotated.getUnderlyingType();
      long end = unit.positions.getEndPosition(tree, named);
      String name = named.toString().substring(named.toString().lastIndexOf('.') + 1);
      Element type = unit.trees.getElement(new TreePath(new TreePath(getCurrentPath(), node.getIdentifier()), named));
      if (node.getClassBody() != null && type != null) {
        // The class in place has a constructor of its own, which calls that of the class above.
        element = type instanceof TypeElement above && above.getKind() != ElementKind.INTERFACE ? constructorAbove(node, type) : type;
      }
      long at = end >= 0 ? end - 1 : unit.positions.getStartPosition(tree, node);
      use(name, line(at), element, true);
      if (node.getIdentifier() instanceof ParameterizedTypeTree generic) scan(generic.getTypeArguments(), nothing);
      if (named instanceof MemberSelectTree select) scan(select.getExpression(), nothing);
      scan(node.getEnclosingExpression(), nothing);
      scan(node.getArguments(), nothing);
      if (node.getClassBody() != null) scan(node.getClassBody(), nothing);
      return null;
    }

    /** The constructor that the one of a class without a name calls. */
    Element constructorAbove(NewClassTree node, Element type) {
      TreePath body = new TreePath(getCurrentPath(), node.getClassBody());
      for (Tree member : node.getClassBody().getMembers()) {
        if (member instanceof MethodTree method && method.getName().contentEquals("<init>") && !method.getBody().getStatements().isEmpty()
            && method.getBody().getStatements().get(0) instanceof ExpressionStatementTree first) {
          TreePath path = new TreePath(new TreePath(new TreePath(new TreePath(body, method), method.getBody()), first), first.getExpression());
          Element called = unit.trees.getElement(path);
          if (called != null) return called;
        }
      }
      return type;
    }

    @Override public Void visitIdentifier(IdentifierTree node, Void nothing) {
      use(node.getName().toString(), line(unit.positions.getStartPosition(tree, node)), unit.trees.getElement(getCurrentPath()), false);
      return null;
    }

    @Override public Void visitMemberSelect(MemberSelectTree node, Void nothing) {
      use(node.getIdentifier().toString(), lineOfSelected(node), unit.trees.getElement(getCurrentPath()), false);
      return super.visitMemberSelect(node, nothing);
    }

    @Override public Void visitMemberReference(MemberReferenceTree node, Void nothing) {
      Element element = unit.trees.getElement(getCurrentPath());
      String name = node.getName().toString();
      if (name.equals("<init>") && element != null) name = element.getEnclosingElement().getSimpleName().toString();
      use(name, line(unit.positions.getEndPosition(tree, node) - 1), element, false);
      return super.visitMemberReference(node, nothing);
    }

    int lineOfSelected(MemberSelectTree node) { return line(unit.positions.getEndPosition(tree, node) - 1); }

    int line(long at) { return at < 0 ? 0 : (int) tree.getLineMap().getLineNumber(at); }

    void use(String name, int line, Element element, boolean isCall) {
      if (line == 0 || name.equals("class") || name.equals("length") && element == null) return;
      if (isCall) callSites++;
      boolean isKnown = element != null && element.asType().getKind() != TypeKind.ERROR && element.getKind() != ElementKind.OTHER;
      Place to = isKnown ? unit.place(element) : null;
      ElementKind kind = isKnown ? element.getKind() : ElementKind.OTHER;
      String why = null;
      boolean isAccessor = to != null && element instanceof ExecutableElement && unit.elements.getOrigin(element) != Elements.Origin.EXPLICIT
          && kind == ElementKind.METHOD;
      if (!isKnown) {
        if (isCall) unresolved++;
        why = isCall || !name.equals("super") && !name.equals("this") ? "unresolved" : "local";
      } else if (kind == ElementKind.PACKAGE || kind == ElementKind.MODULE) return;
      else if (kind.isField() || isAccessor) why = to == null ? "outside" : "field";
      else if (!(element instanceof ExecutableElement || element instanceof TypeElement)) why = "local";
      else if (!isCall && (name.equals("this") || name.equals("super"))) return;
      else if (to == null) why = "outside";
      if (why != null) {
        boolean hasPlace = why.equals("field");
        put("other", "why", why, "from_path", source.path, "line", line, "name", name, "call", isCall, "to_path", hasPlace ? to.source.path : null,
            "to_line", hasPlace ? to.line : null, "to_name", hasPlace ? to.name : null);
        return;
      }
      TreePath around = getCurrentPath();
      List<String> names = new ArrayList<>();
      List<Integer> lines = null;
      for (TreePath at = around; at != null; at = at.getParentPath()) {
        Tree leaf = at.getLeaf();
        boolean isMethod = leaf instanceof MethodTree;
        if (!isMethod && !(leaf instanceof ClassTree)) continue;
        Element holder = unit.trees.getElement(at);
        names.add(0, isMethod && holder != null && holder.getKind() != ElementKind.CONSTRUCTOR || holder == null || !isMethod
            ? holder == null ? "" : holder.getSimpleName().toString() : holder.getEnclosingElement().getSimpleName().toString());
        if (lines == null) lines = List.of(line(unit.positions.getStartPosition(tree, leaf)), line(unit.positions.getEndPosition(tree, leaf)));
      }
      put(isCall ? "call" : "reference", "from_path", source.path, "line", line, "name", name, "from_name", String.join(".", names), "from_lines",
          lines, "to_path", to.source.path, "to_name", to.name, "to_line", to.line, "to_kind", kindOf(element), "test", isTest);
    }

    String kindOf(Element element) {
      boolean isLocal = false;
      for (Element at = element; at != null; at = at.getEnclosingElement()) {
        isLocal |= at instanceof TypeElement type && (type.getNestingKind() == NestingKind.LOCAL || type.getNestingKind() == NestingKind.ANONYMOUS);
      }
      Element holder = element.getEnclosingElement();
      boolean isOfInterface = holder != null && holder.getKind().isInterface() && element.getModifiers().contains(Modifier.ABSTRACT);
      String kind = element instanceof TypeElement ? "class" : isOfInterface ? "imethod" : "method";
      return isLocal ? "nested_" + kind : kind;
    }

    /** Writes a record of keys and values, once. */
    void put(String kind, Object... parts) {
      StringBuilder line = new StringBuilder("{\"kind\":").append(quoted(kind));
      for (int i = 0; i + 1 < parts.length; i += 2) {
        if (parts[i + 1] != null) line.append(',').append(quoted((String) parts[i])).append(':').append(json(parts[i + 1]));
      }
      String record = line.append('}').toString();
      if (written.add(record) || kind.equals("call")) unit.out.println(record);
    }
  }

  static String json(Object value) {
    if (value instanceof String text) return quoted(text);
    if (value instanceof List<?> list) return list.stream().map(Judge::json).collect(Collectors.joining(",", "[", "]"));
    return String.valueOf(value);
  }

  static String quoted(String text) {
    StringBuilder made = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') made.append('\\').append(c);
      else if (c < ' ') made.append(String.format("\\u%04x", (int) c));
      else made.append(c);
    }
    return made.append('"').toString();
  }
}
